/** How the mail server is reached: signed in, encrypted, over few connections. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { eventually, soonMs } from '../support/eventually.ts'
import { certificate, key } from '../support/mail/certificate.ts'
import { type MailServer, refusal, startMailServer } from '../support/mail/mail-server.ts'
import { startService, type TestService } from '../support/service.ts'
import { greet, greetingFeature } from './mail-feature.ts'

const secret = 'p@ss:wörd/?#'

const signIn: NonNullable<Parameters<typeof startMailServer>[0]> = {
  onAuth: ({ username, password }, _session, done) =>
    username === 'me@acme.example' && password === secret
      ? done(null, { user: username })
      : done(refusal(535, '5.7.8 Wrong')),
}

const login = `${encodeURIComponent('me@acme.example')}:${encodeURIComponent(secret)}`

async function serve(
  url: string,
  options: Parameters<typeof startService>[2] = {},
  further: Record<string, string> = {},
): Promise<TestService & AsyncDisposable> {
  const settings = { SMTP_URL: url, MAIL_FROM: 'Acme <post@acme.example>', ...further }
  const service = await startService('sqlite', settings, { features: [greetingFeature], ...options })
  return { ...service, [Symbol.asyncDispose]: () => service.stop() }
}

async function sendOne(service: TestService): Promise<{ status: string; error: string | null }> {
  await greet(service, 'default', 'ada@acme.example')
  await service.service.queueWorkers.drain()
  return (await service.host.get('/api/mails')).body[0]
}

describe('The mail server', () => {
  it('is signed in to after STARTTLS, with its certificate checked', async () => {
    await using server = await startMailServer({ ...signIn, key, cert: certificate })
    await using service = await serve(`smtp://${login}@localhost:${server.port}`, {
      mailServerCa: certificate,
    })
    assert.equal((await sendOne(service)).status, 'SENT')
    const [mail] = server.received
    assert.deepEqual([mail?.user, mail?.isEncrypted], ['me@acme.example', true])
    assert.match(mail?.source ?? '', /^From: Acme <post@acme\.example>\r$/m)
    await using stranger = await serve(`smtp://${login}@localhost:${server.port}`)
    assert.equal((await sendOne(stranger)).status, 'PENDING')
    assert.equal(server.received.length, 1)
  })

  it('is reached over TLS from the beginning', async () => {
    await using server = await startMailServer({ ...signIn, secure: true, key, cert: certificate })
    await using service = await serve(`smtps://${login}@localhost:${server.port}`, {
      mailServerCa: certificate,
    })
    assert.equal((await sendOne(service)).status, 'SENT')
    assert.equal(server.received[0]?.isEncrypted, true)
  })

  it('is greeted with the host of BASE_URL or a name of its own, never with that of the machine', async () => {
    const names: string[] = []
    await using server = await startMailServer({
      onMailFrom: (_address, session, done) => {
        names.push(session.hostNameAppearsAs)
        done()
      },
    })
    const settings: Record<string, string>[] = [
      { BASE_URL: 'https://app.acme.example' },
      { BASE_URL: 'https://app.acme.example', SMTP_NAME: 'mail.acme.example' },
      { BASE_URL: 'http://192.0.2.7:3000' },
      { BASE_URL: 'http://[2001:db8::7]:3000' },
    ]
    for (const each of settings) {
      await using service = await serve(`smtp://127.0.0.1:${server.port}`, {}, each)
      assert.equal((await sendOne(service)).status, 'SENT')
    }
    assert.deepEqual(names, ['app.acme.example', 'mail.acme.example', '[192.0.2.7]', '[ipv6:2001:db8::7]'])
  })

  it('may have a certificate of an authority of its own, or on this machine any without a sign-in', async () => {
    await using server = await startMailServer({ ...signIn, key, cert: certificate })
    const folder = mkdtempSync(join(tmpdir(), 'mail-'))
    const file = join(folder, 'ca.pem')
    writeFileSync(file, certificate)
    await using trusting = await serve(`smtp://${login}@localhost:${server.port}`, {}, { SMTP_CA: file })
    assert.equal((await sendOne(trusting)).status, 'SENT')
    rmSync(folder, { recursive: true })
    await using local = await serve(`smtp://127.0.0.1:${server.port}`)
    assert.equal((await sendOne(local)).status, 'SENT')
    assert.deepEqual(
      server.received.map(({ isEncrypted }) => isEncrypted),
      [true, true],
    )
  })

  it('that cannot be used is listed with the reason', async () => {
    await using server = await startMailServer({ ...signIn, key, cert: certificate })
    const reasons: [string, RegExp][] = [
      [`smtp://${login}@localhost:${server.port}`, /certificate .* not accepted \([A-Z_]*CERT[A-Z_]*\)/],
      [`smtps://${login}@localhost:${server.port}`, /does not speak TLS on this port/],
      ['smtp://127.0.0.1:1', /refuses connections \(ECONNREFUSED\)/],
      ['smtp://no-such-host.invalid', /a name that/],
    ]
    for (const [url, reason] of reasons) {
      await using service = await serve(url)
      const { status, error } = await sendOne(service)
      assert.equal(status, 'PENDING')
      assert.match(error ?? '', reason)
    }
  })

  it('that refuses the password keeps the mails waiting, and the password is in no log and no list', async () => {
    await using server = await startMailServer({ ...signIn, key, cert: certificate })
    const lines: string[] = []
    const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) })
    const wrong = 'wrong-Secret-77'
    const options = { mailServerCa: certificate, log }
    await using service = await serve(`smtp://me:${wrong}@localhost:${server.port}`, options)
    const mail = await sendOne(service)
    assert.equal(mail.status, 'PENDING')
    assert.match(mail.error ?? '', /535 5\.7\.8 Wrong/)
    const all = lines.join('') + JSON.stringify(mail)
    assert.match(all, /mail not sent/)
    for (const form of [
      wrong,
      Buffer.from(wrong).toString('base64'),
      Buffer.from(`\0me\0${wrong}`).toString('base64'),
    ])
      assert.ok(!all.includes(form), form)
    assert.ok(!all.includes('token=2f9c1f1e6f5d4b0a8d7e'))
  })

  it('that does not reply in time keeps the mails waiting', async () => {
    await using server = await startMailServer({ onData: (stream) => void stream.resume() })
    const url = `smtp://127.0.0.1:${server.port}`
    await using service = await serve(url, { mailLimits: { deadlineMs: 50 } })
    const { status, error } = await sendOne(service)
    assert.deepEqual([status, error], ['PENDING', 'The mail server did not reply in time.'])
  })

  it('takes many mails over few connections, and no tenant has all of them', async () => {
    let open = 0
    let most = 0
    await using server: MailServer = await startMailServer({
      onMailFrom: (_address, _session, done) => {
        most = Math.max(most, ++open)
        setImmediate(done)
      },
      onRcptTo: (_address, _session, done) => {
        open--
        done()
      },
    })
    await using service = await serve(`smtp://127.0.0.1:${server.port}`)
    for (let index = 0; index < 30; index++) await greet(service, 'default', `user${index}@acme.example`)
    await eventually('all mails', soonMs, async () => server.received.length === 30)
    await service.service.queueWorkers.drain()
    assert.equal(new Set(server.received.map(({ to }) => to.join())).size, 30)
    assert.ok(server.connections <= 5, `${server.connections} connections`)
    assert.ok(most <= 4, `${most} at once`)
  })
})
