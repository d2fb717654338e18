/** Jobs and mails of all tenants that failed for good: listed without their contents, and retried many at once. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import { retryByTenant } from '../../src/operations/dead-work/by-tenant.ts'
import { deadMails } from '../../src/operations/dead-work/mails.ts'
import { RetryRun } from '../../src/operations/dead-work/retry-run.ts'
import { enqueueFor, newWork, runInterval, workFeature } from '../jobs/work-feature.ts'
import { greet, greetingFeature } from '../mail/mail-feature.ts'
import type { Client } from '../support/client.ts'
import { TestClock } from '../support/clock.ts'
import { onEachDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { freePort } from '../support/free-port.ts'
import { startMailServer } from '../support/mail/mail-server.ts'
import { startService, type TestService, type TestTenant, uniqueName } from '../support/service.ts'

onEachDatabase('What failed for good in all tenants', (database) => {
  const clock = new TestClock()
  const work = newWork()
  let service: TestService
  let port: number
  let one: TestTenant
  let other: TestTenant
  let own: TestTenant
  let inactive: TestTenant
  let host: Client
  before(async () => {
    port = await freePort()
    service = await startService(
      database,
      { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_RETRY_SECONDS: '10', WEBHOOK_RETRY_SECONDS: '' },
      { clock: clock.now, features: [workFeature(work, { retrySeconds: [] }), greetingFeature] },
    )
    one = await service.newTenant()
    other = await service.newTenant()
    own = await service.newTenant({ connectionString: `sqlite:${uniqueName('own')}.db` })
    inactive = await service.newTenant()
  })
  after(() => service.stop())
  // Their tokens have expired by the clock.
  beforeEach(async () => {
    host = (await service.signIn('admin')).client
    const asAdmin = async ({ id, user }: TestTenant) => ({
      ...{ id, user },
      admin: (await service.signIn('boss', id)).client,
    })
    one = await asAdmin(one)
    own = await asAdmin(own)
  })

  const drain = () => service.service.queueWorkers.drain()
  /** Counts are kept for a while. */
  const listed = async (path: string) => {
    clock.advance({ minutes: 5 })
    return (await host.get(path)).body
  }
  const failJobs = async ({ id }: TestTenant, count: number) => {
    work.run = () => {
      throw new Error('The number 4711 is secret.')
    }
    for (let number = 0; number < count; number++) await enqueueFor(service, id, 4711)
    await drain()
    work.run = () => undefined
  }
  const retryJobs = async (body: object) => (await host.post('/api/dead-jobs/retry', body)).body
  const statusesOf = async ({ admin }: TestTenant) =>
    (await admin.get('/api/jobs')).body.map(({ status }: { status: string }) => status)

  it('are jobs by tenant and name, and one request retries them', async () => {
    await failJobs(one, 3)
    await failJobs(other, 1)
    const { text } = await host.get('/api/dead-jobs?count=true')
    assert.doesNotMatch(text, /4711/)
    assert.deepEqual(JSON.parse(text), [
      { tenantId: one.id, name: 'work.do', jobs: 3 },
      { tenantId: other.id, name: 'work.do', jobs: 1 },
    ])
    const inCapitals = other.id.toUpperCase()
    assert.deepEqual(await listed(`/api/dead-jobs?tenantId=${inCapitals}&fields=jobs`), [{ jobs: 1 }])
    assert.equal((await retryJobs({ name: 'work.other' })).jobs, 0)
    clock.advance({ seconds: 1 })
    assert.deepEqual(await retryJobs({}), {
      jobs: 4,
      tenants: 2,
      items: [one, other]
        .map(({ id }, index) => ({ tenantId: id, name: 'work.do', jobs: index === 0 ? 3 : 1 }))
        .sort((first, second) => (first.tenantId < second.tenantId ? -1 : 1)),
      failures: [],
      next: null,
    })
    await drain()
    assert.deepEqual(await statusesOf(one), ['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED'])
    assert.deepEqual(await listed('/api/dead-jobs'), [])
    const [record] = (await one.admin.get('/api/audit?action=deadJobs.retried')).body
    assert.deepEqual([record.actorName, record.detail], ['admin', { name: 'work.do', jobs: 3 }])
    const requests = (await host.get('/api/audit?action=deadJobs.retryRequested')).body
    assert.deepEqual(
      requests.map((each: { subjectType: string; detail: object }) => [each.subjectType, each.detail]),
      [
        ['installation', {}],
        ['installation', { name: 'work.other' }],
      ],
    )
  })

  it('are those of tenants’ own databases, and a tenant whose database is away is named', async () => {
    await failJobs(own, 2)
    await failJobs(one, 1)
    await runInterval(service, 'count in tenants')
    const found = await listed('/api/dead-jobs')
    assert.deepEqual(found[0], { tenantId: own.id, name: 'work.do', jobs: 2 })
    const [health] = (await host.get('/api/tenant-health')).body
    assert.deepEqual([health.tenantId, health.deadJobs], [own.id, 2])
    const id = uniqueName('away')
    const connectionString = 'postgres://nobody:none@127.0.0.1:9/none'
    await host.post('/api/tenants', { id, name: 'Away', connectionString })
    const away = await retryJobs({ tenantId: id.toUpperCase() })
    assert.deepEqual([away.jobs, away.next, away.failures.length], [0, null, 1])
    assert.equal(away.failures[0].tenantId, id)
    clock.advance({ seconds: 1 })
    const retried = await retryJobs({})
    assert.deepEqual([retried.jobs, retried.tenants, retried.next], [3, 2, null])
    await drain()
    assert.deepEqual(await statusesOf(own), ['SUCCEEDED', 'SUCCEEDED'])
  })

  it('give each tenant a share of a request, which goes on where the one before ended', async () => {
    const operator = await service.service.operator()
    const groups = deadMails({ database: operator.shared.catalogueDatabase, clock: clock.now })
    const ids = [one, other].map(({ id }) => id).sort()
    const left = new Map([12_000, 1500].map((count, index) => [ids[index] ?? '', count]))
    const visits: string[] = []
    const visit = async (run: RetryRun) => {
      return retryByTenant(operator, run, {
        groups,
        group: undefined,
        tenantsWith: async (_database, last) => ids.filter((id) => id > last),
        retry: async ({ tenant: { id } }, { limit }) => {
          const rest = left.get(id) ?? 0
          const count = Math.min(limit, rest)
          left.set(id, rest - count)
          if (count > 0) visits.push(`${ids.indexOf(id)}: ${count}`)
          return { groups: [{ group: 'g', count }], isDone: count === rest }
        },
      })
    }
    assert.ok(operator.actor)
    const place = { until: clock.now().toISOString(), after: '', needsAnotherRound: false }
    const first = await visit(new RetryRun(operator.actor, undefined, place))
    assert.equal(first.count, 10_000)
    assert.deepEqual(visits.slice(0, 5), ['0: 1000', '1: 1000', '0: 1000', '1: 500', '0: 1000'])
    const [, mark = '', done = ''] =
      /Z(\+?)\/(.*)$/.exec(Buffer.from(first.next ?? '', 'base64url').toString()) ?? []
    const next = { ...place, after: done, needsAnotherRound: mark !== '' }
    const second = await visit(new RetryRun(operator.actor, undefined, next))
    assert.deepEqual([second.count, second.next], [3500, null])
    assert.deepEqual([...left.values()], [0, 0])
  })

  it('are mails by tenant and template, and one request retries those that still say something', async () => {
    await greet(service, one.id, 'ada@secret.example')
    await greet(service, one.id, 'late@secret.example', {
      expiresAt: new Date(clock.now().getTime() + 20_000),
    })
    await greet(service, other.id, 'bob@secret.example')
    await greet(service, inactive.id, 'eve@secret.example')
    await drain()
    clock.advance({ seconds: 10 })
    await drain()
    await host.delete(`/api/tenants/${inactive.id}`)
    clock.advance({ minutes: 10 })
    const { text } = await host.get('/api/dead-mails')
    assert.doesNotMatch(text, /secret|ECONN/)
    const found: { tenantId: string }[] = JSON.parse(text)
    const template = 'test.greet'
    assert.deepEqual(found[0], { tenantId: one.id, template, mails: 2, retriable: 1 })
    assert.deepEqual(found.map(({ tenantId }) => tenantId).sort(), [one.id, other.id, inactive.id].sort())
    const { received, close } = await startMailServer({}, port)
    const retry = async (body: object) => (await host.post('/api/dead-mails/retry', body)).body
    assert.deepEqual((await retry({ tenantId: other.id, template: 'account.verify' })).items, [])
    assert.deepEqual(await retry({ template }), {
      mails: 2,
      tenants: 2,
      items: [one, other].map(({ id }) => ({ tenantId: id, template, mails: 1 })),
      failures: [{ tenantId: inactive.id, message: 'The tenant is deactivated.' }],
      next: null,
    })
    await drain()
    await close()
    assert.deepEqual(received.map(({ to }) => to.join()).sort(), ['ada@secret.example', 'bob@secret.example'])
    const [record] = (await one.admin.get('/api/audit?action=deadMails.retried')).body
    assert.deepEqual([record.actorName, record.detail], ['admin', { template, mails: 1 }])
    const foreign = Buffer.from('2026-01-31T09:30:00.000Z/acme').toString('base64url')
    assertError(await host.post('/api/dead-mails/retry', { cursor: foreign }), 400, /^cursor: /)
  })

  it('are for the host alone', async () => {
    for (const kind of ['jobs', 'mails']) {
      const list = await one.admin.get(`/api/dead-${kind}`)
      assertError(list, 403, 'This requires the permission operation:read.')
      const retried = await one.admin.post(`/api/dead-${kind}/retry`, {})
      assertError(retried, 403, 'This requires the permission operation:write.')
      const unknown = await host.post(`/api/dead-${kind}/retry`, { tenantId: 'nobody' })
      assert.equal(unknown.status, 404)
    }
  })
})
