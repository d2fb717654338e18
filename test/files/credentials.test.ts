/** How a store with the protocol of S3 is reached: its address, and the credentials of a role, which expire. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http, { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { type S3Server, startS3Server } from '../support/files/s3-server.ts'
import { startService, type TestService } from '../support/service.ts'
import { upload } from './scene.ts'

interface Asked {
  request: IncomingMessage
  body: string
}

const hour = 3_600_000

describe('A store with the protocol of S3', () => {
  let store: S3Server
  let address: string
  let asked: Asked[] = []
  let folder: string
  let validMs = hour
  let isAway = false
  const platform = createServer(async (request, response) => {
    asked.push({ request, body: await text(request) })
    if (isAway) return void response.writeHead(500).end()
    if (request.url === '/latest/api/token') return void response.end('metadata token')
    if (request.url === '/latest/meta-data/iam/security-credentials/') return void response.end('my-role')
    const key = newKey()
    const xml = (name: string, value: string) => `<${name}>${value}</${name}>`
    if (request.method === 'POST')
      return void response.end(
        `<R><Credentials>${xml('AccessKeyId', key.AccessKeyId)}${xml('SecretAccessKey', key.SecretAccessKey)}${xml('SessionToken', key.Token)}${xml('Expiration', key.Expiration)}</Credentials></R>`,
      )
    response.end(JSON.stringify({ Code: 'Success', ...key }))
  })

  const newKey = () => {
    const id = `key-${store.keys.size}`
    store.keys.set(id, { secretAccessKey: `secret of ${id}`, sessionToken: `token of ${id}` })
    const Expiration = new Date(Date.now() + validMs).toISOString()
    return { AccessKeyId: id, SecretAccessKey: `secret of ${id}`, Token: `token of ${id}`, Expiration }
  }

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'credentials-'))
    await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(platform.address() as AddressInfo).port}` // it listens on a port
  })
  after(() => {
    platform.closeAllConnections()
    platform.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(async () => {
    store = await startS3Server()
    ;[asked, validMs, isAway] = [[], hour, false]
  })
  afterEach(() => store.close())

  const serve = async (settings: Record<string, string>): Promise<TestService & AsyncDisposable> => {
    const service = await startService('sqlite', {
      FILES_URL: store.settings['FILES_URL'] ?? '',
      ...settings,
    })
    return { ...service, [Symbol.asyncDispose]: () => service.stop() }
  }

  const put = async (service: TestService, status = 201): Promise<void> => {
    const answer = await upload(service.host)
    assert.equal(answer.status, status, `${answer.text} ${store.refused}`)
  }

  it('has its bucket in the name of the host where the settings say so', async () => {
    const url = `${store.settings['FILES_URL']}&style=virtual`.replace('127.0.0.1', 'localhost')
    const local: LookupFunction = (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }])
    // Not every system resolves names below localhost.
    const usual = http.globalAgent
    http.globalAgent = new http.Agent({ lookup: local })
    try {
      await using service = await serve({ ...store.settings, FILES_URL: url })
      await put(service)
      assert.deepEqual([store.objects.size, store.refused], [1, []])
    } finally {
      http.globalAgent = usual
    }
  })

  it('is used with the key of the environment, and with its session token', async () => {
    const { AccessKeyId, SecretAccessKey, Token } = newKey()
    const key = { AWS_ACCESS_KEY_ID: AccessKeyId, AWS_SECRET_ACCESS_KEY: SecretAccessKey }
    await using service = await serve({ ...key, AWS_SESSION_TOKEN: Token })
    await put(service)
    assert.deepEqual(store.refused, [])
  })

  it('is used with a role that a token in a file grants, asked for once', async () => {
    const file = join(folder, 'token')
    writeFileSync(file, 'a.web.token\n')
    await using service = await serve({
      AWS_ROLE_ARN: 'arn:aws:iam::1:role/files',
      AWS_WEB_IDENTITY_TOKEN_FILE: file,
      AWS_ENDPOINT_URL_STS: address,
    })
    await Promise.all([put(service), put(service), put(service)])
    assert.equal(asked.length, 1)
    assert.deepEqual(Object.fromEntries(new URLSearchParams(asked[0]?.body)), {
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: 'arn:aws:iam::1:role/files',
      RoleSessionName: 'tenantry',
      WebIdentityToken: 'a.web.token',
    })
  })

  it('is used with the role of a container, whose token is read from its file', async () => {
    const file = join(folder, 'container')
    writeFileSync(file, 'Bearer of the pod\n')
    await using service = await serve({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${address}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file,
    })
    await put(service)
    assert.deepEqual(
      asked.map(({ request: { url, headers } }) => [url, headers.authorization]),
      [['/v1/credentials', 'Bearer of the pod']],
    )
  })

  it('is used with the role of the machine, by a token of its metadata', async () => {
    await using service = await serve({
      FILES_INSTANCE_ROLE: 'true',
      AWS_EC2_METADATA_SERVICE_ENDPOINT: address,
    })
    await put(service)
    const [token, ...others] = asked.map(({ request }) => request)
    assert.deepEqual([token?.method, token?.url], ['PUT', '/latest/api/token'])
    const path = '/latest/meta-data/iam/security-credentials/'
    assert.deepEqual(
      others.map(({ url, headers }) => [url, headers['x-aws-ec2-metadata-token']]),
      [
        [path, 'metadata token'],
        [`${path}my-role`, 'metadata token'],
      ],
    )
  })

  it('is used with renewed credentials before they expire, and with present ones while there are no others', async () => {
    validMs = hour / 20 // within the margin
    await using service = await serve({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${address}/a` })
    await put(service)
    await put(service)
    assert.equal(asked.length, 2)
    isAway = true
    await put(service)
    assert.equal(asked.length, 3)
  })

  it('is used with other credentials once it calls them expired, and is away without any', async () => {
    isAway = true
    await using service = await serve({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${address}/a` })
    await put(service, 503)
    isAway = false
    await put(service)
    for (const key of store.keys.values()) key.isExpired = true
    await put(service)
    assert.equal(store.refused.length, 1)
  })
})
