/** Listing and retrying the mails that were not sent for one cause. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import type { Client } from '../support/client.ts'
import { StillClock } from '../support/clock.ts'
import { inspect } from '../support/database/inspect.ts'
import { onEachDatabase } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { refusal, startMailServer } from '../support/mail/mail-server.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { greet, greetingFeature } from './mail-feature.ts'

onEachDatabase('The mails of one cause', (database) => {
  const clock = new StillClock()
  let service: TestService
  let tenant: TestTenant
  let port: number
  before(async () => {
    port = await freePort()
    const settings = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_RETRY_SECONDS: '10' }
    service = await startService(database, settings, { clock: clock.now, features: [greetingFeature] })
  })
  after(() => service.stop())
  beforeEach(async () => {
    tenant = await service.newTenant()
  })

  const drain = () => service.service.queueWorkers.drain()
  const retry = (client: Client, body: object) => client.post('/api/mails/retry', body)
  const listed = async (client: Client, status: string): Promise<string[]> => {
    const { body } = await client.get(`/api/mails?status=${status}`)
    return body.map(({ recipient }: { recipient: string }) => recipient).sort()
  }
  const failWithoutServer = async (tenantId: string, ...recipients: string[]): Promise<string[]> => {
    const ids: string[] = []
    for (const recipient of recipients) ids.push(await greet(service, tenantId, recipient))
    await drain()
    clock.advance({ seconds: 10 })
    await drain()
    return ids
  }
  const retriedAudit = async (client: Client) => (await client.get('/api/audit?action=mail.retried')).body

  it('are retried by one request, and those of other causes and tenants are not', async () => {
    const other = await service.newTenant()
    await failWithoutServer(other.id, 'other@acme.example')
    await failWithoutServer(tenant.id, 'ada@acme.example', 'bob@acme.example')
    const { received, close } = await startMailServer(
      {
        onRcptTo: ({ address }, _session, done) =>
          done(address.startsWith('no') ? refusal(550, 'No such user') : null),
      },
      port,
    )
    await greet(service, tenant.id, 'nobody@acme.example')
    await drain()
    const { status, body } = await retry(tenant.admin, { error: 'ECONNREFUSED' })
    assert.deepEqual([status, body], [200, { retried: 2, isComplete: true }])
    await drain()
    assert.deepEqual(received.map(({ to }) => to.join()).sort(), ['ada@acme.example', 'bob@acme.example'])
    await close()
    assert.deepEqual(await listed(tenant.admin, 'DEAD'), ['nobody@acme.example'])
    assert.deepEqual(await listed(other.admin, 'DEAD'), ['other@acme.example'])
    const [entry, ...more] = await retriedAudit(tenant.admin)
    assert.equal(more.length, 0)
    assert.deepEqual([entry.subjectId, entry.detail], [null, { error: 'ECONNREFUSED', retried: 2 }])
  })

  it('are retried up to a limit, the oldest first, and the reply says that some are left', async () => {
    await failWithoutServer(tenant.id, 'a@acme.example', 'b@acme.example', 'c@acme.example')
    const body = { error: 'refuses connections', limit: 2 }
    assert.deepEqual((await retry(tenant.admin, body)).body, { retried: 2, isComplete: false })
    assert.deepEqual(await listed(tenant.admin, 'PENDING'), ['a@acme.example', 'b@acme.example'])
    assert.deepEqual((await retry(tenant.admin, body)).body, { retried: 1, isComplete: true })
    assert.deepEqual((await retry(tenant.admin, body)).body, { retried: 0, isComplete: true })
  })

  it('are retried for one template, in the case of the cause, and while they say something', async () => {
    await failWithoutServer(tenant.id, 'a@acme.example')
    const expiresAt = new Date(clock.now().getTime() + 15_000)
    await greet(service, tenant.id, 'late@acme.example', { expiresAt })
    await drain()
    clock.advance({ seconds: 10 })
    await drain()
    clock.advance({ seconds: 10 })
    for (const body of [
      { error: 'ECONNREFUSED', template: 'test.other' },
      { error: 'econnrefused' },
      { error: '%' },
      { error: 'CONN_EFUSED' },
    ])
      assert.equal((await retry(tenant.admin, body)).body.retried, 0, JSON.stringify(body))
    assert.equal((await retry(tenant.admin, { error: 'ECONN', template: 'test.greet' })).body.retried, 1)
    assert.deepEqual(await listed(tenant.admin, 'DEAD'), ['late@acme.example'])
  })

  it('are retried for all tenants by administrators of the host alone', async () => {
    const other = await service.newTenant()
    for (const { id } of [tenant, other]) await failWithoutServer(id, `ada@${id}.example`)
    const sql = `UPDATE mail SET error = 'The cause of this test' WHERE tenant_id IN ('${tenant.id}', '${other.id}')`
    await inspect(service.config.databaseUrl, sql)
    const body = { error: 'of this test', allTenants: true }
    assert.equal((await retry(tenant.admin, body)).status, 403)
    assert.equal((await retry(tenant.user, { error: 'of this test' })).status, 403)
    const { received, close } = await startMailServer({}, port)
    assert.deepEqual((await retry(service.host, body)).body, { retried: 2, isComplete: true })
    await drain()
    await close()
    assert.deepEqual(
      received.map(({ to }) => to.join()).sort(),
      [tenant, other].map(({ id }) => `ada@${id}.example`).sort(),
    )
    const [entry] = await retriedAudit(service.host)
    assert.deepEqual(entry.detail, { error: 'of this test', retried: 2 })
  })

  it('are listed before by the same cause', async () => {
    await failWithoutServer(tenant.id, 'a@acme.example', 'b@acme.example')
    const expiresAt = new Date(clock.now().getTime() + 15_000)
    await greet(service, tenant.id, 'late@acme.example', { expiresAt })
    await drain()
    clock.advance({ seconds: 10 })
    await drain()
    clock.advance({ seconds: 10 })
    await greet(service, tenant.id, 'waits@acme.example')
    await drain()
    const found = async (query: object) => {
      const { status, body, text } = await tenant.admin.get(`/api/mails?${new URLSearchParams({ ...query })}`)
      assert.equal(status, 200, text)
      return body.map(({ recipient }: { recipient: string }) => recipient.split('@')[0]).join(' ')
    }
    assert.equal(await found({ error: 'ECONNREFUSED' }), 'waits late b a')
    assert.equal(await found({ error: 'ECONNREFUSED', status: 'PENDING' }), 'waits')
    assert.equal(await found({ error: 'ECONNREFUSED', isRetriable: 'true' }), 'b a')
    assert.equal(await found({ error: 'ECONN', isRetriable: 'true', template: 'test.greet' }), 'b a')
    assert.equal(await found({ isRetriable: 'true', recipient: ' A@acme.example ' }), 'a')
    for (const error of ['econnrefused', '%', 'CONN_EFUSED', 'another']) {
      assert.equal(await found({ error, isRetriable: 'true' }), '')
      assert.deepEqual((await retry(tenant.admin, { error })).body, { retried: 0, isComplete: true })
    }
    const { body } = await tenant.admin.get('/api/mails?error=ECONNREFUSED')
    const retriable = body.filter((mail: { isRetriable: boolean }) => mail.isRetriable)
    assert.deepEqual(
      retriable.map(({ recipient }: { recipient: string }) => recipient),
      ['b@acme.example', 'a@acme.example'],
    )
    const late = body.find(({ recipient }: { recipient: string }) => recipient === 'late@acme.example')
    assert.equal((await tenant.admin.post(`/api/mails/${late.id}/retry`)).status, 400)
    assert.equal((await retry(tenant.admin, { error: 'ECONNREFUSED' })).body.retried, retriable.length)
    assert.equal(await found({ error: 'ECONNREFUSED', isRetriable: 'true' }), '')
  })

  it('are sorted, counted and chosen by member, over GraphQL too', async () => {
    const [id = ''] = await failWithoutServer(tenant.id, 'a@acme.example', 'b@acme.example')
    await inspect(service.config.databaseUrl, `UPDATE mail SET content = NULL WHERE id = '${id}'`)
    const query = 'error=ECONNREFUSED&status[in]=DEAD,PENDING&sort=createdAt&fields=recipient,isRetriable'
    const { body, headers } = await tenant.admin.get(`/api/mails?${query}&count=true`)
    const a = { recipient: 'a@acme.example', isRetriable: false }
    const b = { recipient: 'b@acme.example', isRetriable: true }
    assert.deepEqual([body, headers.get('x-total-count')], [[a, b], '2'])
    const asked = `{ mail(id: "${id}") { recipient isRetriable }
      mails(where: { status: { eq: DEAD } }) { totalCount nodes { recipient isRetriable nextAttemptAt } } }`
    const { data } = (await tenant.admin.post('/graphql', { query: asked })).body
    assert.deepEqual(data, {
      mail: a,
      mails: { totalCount: 2, nodes: [b, a].map((mail) => ({ ...mail, nextAttemptAt: null })) },
    })
    const one = await tenant.admin.get(`/api/mails/${id}`)
    assert.deepEqual([one.body.recipient, one.body.isRetriable], [a.recipient, false])
    assert.equal((await tenant.user.get(`/api/mails/${id}`)).status, 403)
    assert.equal((await tenant.user.post('/graphql', { query: asked })).body.data, null)
  })

  it('are listed in pages of the same filter', async () => {
    await failWithoutServer(tenant.id, 'a@acme.example', 'b@acme.example')
    const first = await tenant.admin.get('/api/mails?error=ECONNREFUSED&isRetriable=true&limit=1')
    assert.equal(first.body[0].recipient, 'b@acme.example')
    const next = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    assert.match(next, /error=ECONNREFUSED/)
    const second = await tenant.admin.get(next)
    assert.equal(second.body[0].recipient, 'a@acme.example')
    assert.equal(second.headers.get('link'), null)
  })

  it('are named by a text', async () => {
    for (const body of [
      {},
      { error: '' },
      { error: 'x'.repeat(501) },
      { error: 'x', limit: 1001 },
      { error: 'x', limit: 0 },
    ])
      assert.equal((await retry(tenant.admin, body)).status, 400)
    assert.ok((await retry(tenant.admin, { error: 'a\0b' })).status < 500)
    for (const query of ['error=', `error=${'x'.repeat(501)}`, 'error=a%00b', 'isRetriable=false'])
      assert.equal((await tenant.admin.get(`/api/mails?${query}`)).status, 400, query)
  })
})
