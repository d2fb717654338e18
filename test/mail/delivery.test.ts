/** Mails and a mail server: sent once, tried again, given up. */
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, it } from 'node:test'
import { forTenant } from '../../src/core/tenant/each-tenant.ts'
import { inCatalogue } from '../../src/core/transaction.ts'
import { sendMail } from '../../src/mail/send.ts'
import { StillClock } from '../support/clock.ts'
import { inspect } from '../support/database/inspect.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { type MailServer, refusal, startMailServer } from '../support/mail/mail-server.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { greet, greetingFeature, secretUrl } from './mail-feature.ts'

onEitherDatabase('A mail', (database) => {
  const clock = new StillClock()
  let service: TestService
  let tenant: TestTenant
  let port: number
  let server: MailServer | null = null
  before(async () => {
    port = await freePort()
    const settings = {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'post@tenantry.example',
      MAIL_RETRY_SECONDS: '10,60',
    }
    const options = { clock: clock.now, features: [greetingFeature] }
    service = await startService(database, settings, options)
  })
  after(() => service.stop())
  beforeEach(async () => {
    tenant = await service.newTenant()
  })
  afterEach(async () => {
    await server?.close()
    server = null
  })

  const listen = async (options: Parameters<typeof startMailServer>[0] = {}): Promise<MailServer> => {
    server = await startMailServer(options, port)
    return server
  }
  const drain = () => service.service.queueWorkers.drain()
  const list = async (query = '') => (await tenant.admin.get(`/api/mails${query}`)).body
  const events = () =>
    inspect(
      service.config.databaseUrl,
      `SELECT data FROM event WHERE type = 'mail.failed' AND tenant_id = '${tenant.id}'`,
    )

  it('shows a name that an earlier version has accepted without what would be a link', async () => {
    const { received } = await listen()
    const name = 'Locked: http://evil.example'
    const sql = `UPDATE tenant SET name = '${name}', version = version + 1 WHERE id = '${tenant.id}'`
    await inspect(service.config.databaseUrl, sql)
    await service.host.put(`/api/tenants/${tenant.id}`, { plan: 'a' }) // every instance reads it again
    await greet(service, tenant.id, 'ada@acme.example')
    await drain()
    const source = received[0]?.source ?? ''
    assert.match(source, /^From: Locked http evil example <post@tenantry\.example>\r$/m)
    assert.ok(!source.includes('evil.example'))
  })

  it('is sent with its change, or not at all', async () => {
    const { received } = await listen()
    const operator = await service.service.operator()
    const values = { name: 'Ada', url: secretUrl }
    const undone = forTenant(operator, tenant.id, (context) =>
      inCatalogue(context, async (inside) => {
        await sendMail(inside, 'test.greet', { to: 'ada@acme.example', values })
        throw new Error('undone')
      }),
    )
    await assert.rejects(undone, /undone/)
    await drain()
    assert.equal(received.length, 0)
    const id = await greet(service, tenant.id, 'ada@acme.example')
    await drain()
    const [mail] = received
    assert.ok(mail)
    assert.deepEqual([mail.from, mail.to], ['post@tenantry.example', ['ada@acme.example']])
    assert.match(mail.source, new RegExp(`^Message-ID: <${id}@tenantry.example>\r$`, 'm'))
    assert.match(mail.source, /^Auto-Submitted: auto-generated\r$/m)
    const [listed] = await list()
    assert.deepEqual(listed, {
      id,
      template: 'test.greet',
      recipient: 'ada@acme.example',
      status: 'SENT',
      attempts: 1,
      error: null,
      isRetriable: false,
      nextAttemptAt: null,
      createdAt: clock.now().toISOString(),
      sentAt: clock.now().toISOString(),
    })
  })

  it('waits for a server that is away, however often', async () => {
    const id = await greet(service, tenant.id, 'ada@acme.example')
    await drain()
    const [first] = await list()
    assert.deepEqual([first.status, first.attempts, first.isRetriable], ['PENDING', 1, false])
    assert.match(first.error, /refuses connections \(ECONNREFUSED\)/)
    assert.equal(first.nextAttemptAt, new Date(clock.now().getTime() + 10_000).toISOString())
    clock.advance({ seconds: 10 })
    await drain()
    const { received } = await listen()
    clock.advance({ seconds: 60 })
    await drain()
    assert.equal(received.length, 1)
    assert.match(received[0]?.source ?? '', new RegExp(`<${id}@`))
    assert.equal((await list())[0].attempts, 3)
  })

  it('is given up after the last attempt, and can be retried', async () => {
    const id = await greet(service, tenant.id, 'ada@acme.example')
    for (const seconds of [0, 10, 60]) {
      clock.advance({ seconds })
      await drain()
    }
    const [dead] = await list('?status=DEAD')
    assert.deepEqual([dead.id, dead.attempts, dead.isRetriable], [id, 3, true])
    const { error } = dead
    const [event] = await events()
    const payload = JSON.parse(String(event?.['data']))
    const expected = { mailId: id, template: 'test.greet', recipient: 'ada@acme.example', attempts: 3, error }
    assert.deepEqual(payload, expected)
    const { received } = await listen()
    const retried = await tenant.admin.post(`/api/mails/${id}/retry`)
    assert.deepEqual([retried.status, retried.body.status], [200, 'PENDING'])
    await drain()
    assert.equal(received.length, 1)
    const audit = (await tenant.admin.get('/api/audit')).body
    assert.ok(audit.some((row: { action: string }) => row.action === 'mail.retried'))
    assert.equal((await tenant.admin.post(`/api/mails/${id}/retry`)).status, 400)
    assert.equal((await tenant.user.get('/api/mails')).status, 403)
    const other = await service.newTenant()
    assert.equal((await other.admin.post(`/api/mails/${id}/retry`)).status, 404)
  })

  it('is tried again after greylisting, and given up at once for an address that does not exist', async () => {
    let asked = 0
    const { received } = await listen({
      onRcptTo: ({ address }, _session, done) => {
        if (address === 'nobody@acme.example') return done(refusal(550, '5.1.1 No such user'))
        done(asked++ === 0 ? refusal(450, '4.7.1 Greylisted') : null)
      },
    })
    await greet(service, tenant.id, 'ada@acme.example')
    await drain()
    assert.deepEqual((await list())[0].error, 'RCPT TO: 450 4.7.1 Greylisted')
    clock.advance({ seconds: 10 })
    await greet(service, tenant.id, 'nobody@acme.example')
    await drain()
    assert.deepEqual(
      received.map(({ to }) => to.join()),
      ['ada@acme.example'],
    )
    const [refused] = await list('?recipient=NOBODY@acme.example')
    assert.deepEqual([refused.status, refused.attempts], ['DEAD', 1])
    assert.equal(refused.error, 'RCPT TO: 550 5.1.1 No such user')
    assert.equal((await events()).length, 1)
  })

  it('is tried again when the server refuses the service rather than the mail', async () => {
    await listen({ onMailFrom: (_address, _session, done) => done(refusal(553, 'Sender not allowed')) })
    await greet(service, tenant.id, 'ada@acme.example')
    await drain()
    assert.equal((await list())[0].status, 'PENDING')
  })

  it('shows no link that a refusal repeats', async () => {
    const text = `5.7.1 Blocked: ${secretUrl} and token=2f9c1f1e6f5d4b0a8d7e`
    await listen({
      onData: (stream, _session, done) => {
        stream.resume().on('end', () => done(refusal(554, text)))
      },
    })
    await greet(service, tenant.id, 'ada@acme.example', { values: { name: 'Ada', url: secretUrl } })
    await drain()
    const [dead] = await list()
    assert.equal(dead.status, 'DEAD')
    assert.match(dead.error, /^DATA: 554 5\.7\.1 Blocked: \[link\]/)
    const shown = JSON.stringify([dead, await events()])
    assert.ok(!shown.includes('2f9c1f1e6f5d4b0a8d7e'), shown)
  })

  it('is tried again when the server closes the connection', async () => {
    const closing = await listen({
      onData: (stream) => {
        stream.resume()
        closing.drop()
      },
    })
    await greet(service, tenant.id, 'ada@acme.example')
    await drain()
    const [broken] = await list()
    assert.equal(broken.status, 'PENDING')
    assert.match(broken.error, /ended the connection/)
  })

  it('is not sent after its links have expired, and says nothing then', async () => {
    const expiresAt = new Date(clock.now().getTime() + 5000)
    const id = await greet(service, tenant.id, 'ada@acme.example', { expiresAt })
    await drain()
    clock.advance({ seconds: 10 })
    const { received } = await listen()
    await drain()
    assert.ok(!received.some(({ source }) => source.includes(id)))
    const [expired] = await list()
    assert.deepEqual([expired.status, expired.isRetriable], ['DEAD', false])
    assert.match(expired.error, /expired/)
    assert.equal((await tenant.admin.post(`/api/mails/${id}/retry`)).status, 400)
  })

  it('is listed for its tenant, newest first, by status, template and recipient', async () => {
    await listen()
    const other = await service.newTenant()
    await greet(service, other.id, 'ada@acme.example')
    const ids: string[] = []
    for (const name of ['one', 'two', 'three'])
      ids.push(await greet(service, tenant.id, `${name}@acme.example`))
    await drain()
    const listed = async (query: string) => (await list(query)).map((mail: { id: string }) => mail.id)
    assert.deepEqual(await listed(''), ids.toReversed())
    assert.deepEqual(await listed('?recipient=two@acme.example'), [ids[1]])
    assert.deepEqual(await listed('?status=SENT&template=test.greet'), ids.toReversed())
    assert.deepEqual(await listed('?status=PENDING'), [])
    assert.deepEqual(await listed('?template=other.mail'), [])
    const first = await tenant.admin.get('/api/mails?limit=2')
    const [, next] = /<([^>]+)>; rel="next"/.exec(String(first.headers.get('link'))) ?? []
    assert.deepEqual(
      (await tenant.admin.get(next ?? '')).body.map((mail: { id: string }) => mail.id),
      [ids[0]],
    )
    assert.equal((await tenant.admin.get('/api/mails?status=LOST')).status, 400)
    assert.equal((await tenant.admin.post('/api/mails/not-an-id/retry')).status, 404)
  })
})
