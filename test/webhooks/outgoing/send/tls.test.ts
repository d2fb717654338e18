/** Certificates of receivers, and the address to which a connection goes. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { type AddressGuard, createAddressGuard } from '../../../../src/core/outgoing/address-guard.ts'
import { type NameServer, startNameServer } from '../../../support/name-server.ts'
import { certificate } from '../../../support/webhooks/certificate.ts'
import { type Receiver, startReceiver } from '../../../support/webhooks/receiver.ts'
import { development, sendTo } from '../../http-attempt.ts'

describe('A receiver with https', () => {
  let receiver: Receiver
  let names: NameServer
  let trusting: AddressGuard
  let doubting: AddressGuard
  let serverNames: (string | false | null)[] = []
  before(async () => {
    receiver = await startReceiver(
      (response) => {
        const socket = response.socket as TLSSocket
        serverNames.push(socket.servername)
        response.end('ok')
      },
      '127.0.0.1',
      { secure: true },
    )
    names = await startNameServer(() => ['127.0.0.1'])
    trusting = createAddressGuard(development, {
      nameServers: [names.address],
      certificateAuthorities: certificate,
    })
    doubting = createAddressGuard(development, { nameServers: [names.address] })
  })
  after(async () => {
    trusting.close()
    doubting.close()
    names.close()
    await receiver.close()
  })

  it('is asked for by its name and known by its certificate, though the connection goes to an address', async () => {
    serverNames = []
    for (const host of ['receiver.test', 'RECEIVER.test', 'receiver.test.']) {
      const { outcome, errorClass } = await sendTo(`https://${host}:${receiver.port}/`, trusting)
      assert.deepEqual([outcome, errorClass], ['success', null], host)
    }
    assert.deepEqual(serverNames, ['receiver.test', 'receiver.test', 'receiver.test'])
    assert.equal(receiver.requests.at(-1)?.headers.host, `receiver.test:${receiver.port}`)
  })

  it('gets the next delivery over the connection of the one before', async () => {
    const known = receiver.connections.length
    for (let count = 0; count < 3; count++) await sendTo(`https://receiver.test:${receiver.port}/`, trusting)
    assert.ok(receiver.connections.length <= known + 1)
  })

  const strangers: Record<string, [url: string, guard: () => AddressGuard]> = {
    'with a certificate of another name': ['https://other.test', () => trusting],
    'with a certificate of a name, by its address': ['https://127.0.0.1', () => trusting],
    'with a certificate that nobody vouches for': ['https://receiver.test', () => doubting],
  }
  for (const [what, [url, guard]] of Object.entries(strangers)) {
    it(`${what} is sent nothing`, async () => {
      const known = receiver.requests.length
      const exchange = await sendTo(`${url}:${receiver.port}/`, guard())
      assert.deepEqual([exchange.outcome, exchange.errorClass, exchange.status], ['failure', 'tls', null])
      assert.equal(receiver.requests.length, known)
    })
  }

  it('that speaks plain HTTP is sent nothing', async () => {
    const plain = await startReceiver((response) => response.end())
    const exchange = await sendTo(`https://receiver.test:${plain.port}/`, trusting)
    assert.equal(exchange.errorClass, 'tls')
    assert.equal(plain.requests.length, 0)
    await plain.close()
  })

  it('is reached directly, whatever proxy the environment names', async () => {
    const proxy = await startReceiver((response) => response.end('proxy'))
    const plain = await startReceiver((response) => response.end('direct'))
    const all = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, http_proxy: proxy.url, ALL_PROXY: proxy.url }
    const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program(plain.url)], {
      env: { ...process.env, ...all, NO_PROXY: '', NODE_USE_ENV_PROXY: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    await once(child, 'close')
    assert.equal(Buffer.concat(chunks).toString(), 'proxy direct direct')
    assert.deepEqual([proxy.requests.length, plain.requests.length], [1, 2])
    await Promise.all([proxy.close(), plain.close()])
  })
})

/** Shows first that the environment has its effect on others, then sends twice: over a new and a kept connection. */
function program(url: string): string {
  const src = new URL('../../../../src/', import.meta.url).href
  return `
    import { createAddressGuard } from '${src}core/outgoing/address-guard.ts'
    import { attemptHttp } from '${src}webhooks/outgoing/send/http-attempt.ts'
    const guard = createAddressGuard({ loopback: true, http: true, allowedNetworks: [] })
    const told = [await (await fetch('${url}')).text()]
    for (let count = 0; count < 2; count++) {
      told.push((await attemptHttp({ url: '${url}', headers: {}, body: '{}', deadlineMs: 5000 }, guard)).bodyExcerpt)
    }
    guard.close()
    process.stdout.write(told.join(' '))
  `
}
