/** Addresses of any script, and mail servers that take them or not (RFC 6531). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type MailServer, startMailServer } from '../support/mail/mail-server.ts'
import { startService, type TestService } from '../support/service.ts'
import { greet, greetingFeature } from './mail-feature.ts'

describe('A mail to an address of another script', () => {
  const serve = async ({ port }: MailServer, from = 'post@acme.example') => {
    const settings = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: from }
    const service = await startService('sqlite', settings, { features: [greetingFeature] })
    return { ...service, [Symbol.asyncDispose]: () => service.stop() }
  }

  const send = async (service: TestService, to: string) => {
    const id = await greet(service, 'default', to)
    await service.service.queueWorkers.drain()
    const { body } = await service.host.get('/api/mails')
    return body.find((mail: { id: string }) => mail.id === id)
  }

  it('is sent to a server that offers SMTPUTF8', async () => {
    await using server = await startMailServer()
    await using service = await serve(server)
    const address = '用户.δ@bücher.example'
    assert.equal((await send(service, address)).status, 'SENT')
    const [mail] = server.received
    assert.deepEqual(mail?.to, [address])
    assert.match(mail.source, /^To: <?用户\.δ@bücher\.example>?\r$/m)
  })

  it('ends with the reason where the server does not offer SMTPUTF8, and is not tried again', async () => {
    await using server = await startMailServer({ hideSMTPUTF8: true })
    await using service = await serve(server)
    const mail = await send(service, '用户@example.com')
    assert.equal(mail.status, 'DEAD')
    assert.match(mail.error, /mail server does not take addresses like that of the recipient/)
    assert.match(mail.error, /does not offer SMTPUTF8/)
    assert.equal(server.received.length, 0)
    assert.equal((await send(service, 'ada@example.com')).status, 'SENT')
  })

  it('waits while the server cannot be reached', async () => {
    const server = await startMailServer()
    await using service = await serve(server)
    await server.close()
    assert.equal((await send(service, '用户@example.com')).status, 'PENDING')
  })

  it('goes to any server when only its domain is of another script', async () => {
    await using server = await startMailServer({ hideSMTPUTF8: true })
    await using service = await serve(server)
    assert.equal((await send(service, 'ada@BÜCHER.example')).status, 'SENT')
    const [mail] = server.received
    assert.deepEqual(mail?.to, ['ada@bücher.example']) // as the server reads the domain in ASCII
    assert.match(mail.source, /^To: <?ada@xn--bcher-kva\.example>?\r$/m)
  })

  it('has a sender of another script, whose domain is written in ASCII', async () => {
    await using server = await startMailServer({ hideSMTPUTF8: true })
    await using service = await serve(server, 'Bücher <post@bücher.example>')
    assert.equal((await send(service, 'ada@example.com')).status, 'SENT')
    const source = server.received[0]?.source ?? ''
    assert.match(source, /^From: .*<post@xn--bcher-kva\.example>\r$/m)
    assert.match(source, /^Message-ID: <[^>]+@xn--bcher-kva\.example>\r$/im)
    await using other = await serve(server, 'почта@bücher.example')
    assert.match((await send(other, 'ada@example.com')).error, /addresses like that of MAIL_FROM/)
  })
})
