/** Queued jobs: stored with their change, run for their tenant, tried again, listed and retried. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import { forTenant } from '../../src/core/tenant/each-tenant.ts'
import { inTransaction } from '../../src/core/transaction.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { StillClock } from '../support/clock.ts'
import { inspect } from '../support/database/inspect.ts'
import { onEachDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { enqueueFor, newWork, runInterval, workFeature } from './work-feature.ts'

onEachDatabase('A job', (database) => {
  const clock = new StillClock()
  const work = newWork()
  let service: TestService
  let tenant: TestTenant
  let other: TestTenant
  before(async () => {
    const features = [workFeature(work, { retrySeconds: [10, 100], timeoutSeconds: 0.1 })]
    service = await startService(database, { WEBHOOK_RETRY_SECONDS: '5' }, { clock: clock.now, features })
    tenant = await service.newTenant()
    other = await service.newTenant()
  })
  after(() => service.stop())
  beforeEach(() => {
    work.attempts.length = 0
    work.run = () => undefined
  })

  const drain = () => service.service.queueWorkers.drain()
  const numbers = () => work.attempts.map(({ number }) => number)
  const read = async (id: string) => (await tenant.admin.get(`/api/jobs/${id}`)).body
  const events = () =>
    inspect(service.config.databaseUrl, "SELECT tenant_id, data FROM event WHERE type = 'job.failed'")

  it('is stored with its change, or not at all', async () => {
    const operator = await service.service.operator()
    await forTenant(operator, tenant.id, (context) =>
      inTransaction(context, async (inside) => {
        await enqueue(inside, 'work.do', { number: 1 })
        throw new Error('undone')
      }),
    ).catch(() => undefined)
    await drain()
    assert.deepEqual(numbers(), [])
    await enqueueFor(service, tenant.id, 2)
    await drain()
    assert.deepEqual(numbers(), [2])
  })

  it('runs for its tenant, as an administrator that its name identifies', async () => {
    const id = await enqueueFor(service, other.id, 3)
    await drain()
    const [attempt] = work.attempts
    assert.ok(attempt)
    assert.deepEqual([attempt.tenantId, attempt.jobId, attempt.attempt], [other.id, id, 1])
    const { actor, signal } = attempt.context
    assert.deepEqual([actor?.userName, actor?.tenantId, actor?.roles], ['work.do', other.id, ['Admin']])
    assert.equal(signal?.aborted, false)
    const { status } = await service.anonymous.get(`/api/jobs/${id}`)
    assert.equal(status, 401)
    assert.equal((await tenant.admin.get(`/api/jobs/${id}`)).status, 404)
    assert.equal((await tenant.admin.post(`/api/jobs/${id}/retry`)).status, 404)
    assert.equal((await other.user.get('/api/jobs')).status, 403)
    assert.equal((await other.admin.get(`/api/jobs/${id}`)).body.status, 'SUCCEEDED')
  })

  it('waits for its time', async () => {
    const id = await enqueueFor(service, tenant.id, 4, { at: new Date(clock.now().getTime() + 60_000) })
    clock.advance({ seconds: 59 })
    await drain()
    assert.deepEqual(numbers(), [])
    const { status, nextAttemptAt } = await read(id)
    assert.deepEqual(
      [status, nextAttemptAt],
      ['PENDING', new Date(clock.now().getTime() + 1000).toISOString()],
    )
    clock.advance({ seconds: 1 })
    await drain()
    assert.deepEqual(numbers(), [4])
  })

  it('is one job for each key until it begins', async () => {
    const at = new Date(clock.now().getTime() + 10_000)
    const first = await enqueueFor(service, tenant.id, 5, { key: 'five', at })
    assert.equal(await enqueueFor(service, tenant.id, 6, { key: 'five' }), first)
    const ofOther = await enqueueFor(service, other.id, 7, { key: 'five', at })
    const ofOtherName = await enqueueFor(service, tenant.id, 8, { key: 'five', at, name: 'work.other' })
    assert.equal(new Set([first, ofOther, ofOtherName]).size, 3)
    let again = ''
    work.run = async ({ number }) => {
      if (number === 5) again = await enqueueFor(service, tenant.id, 9, { key: 'five' })
    }
    clock.advance({ seconds: 10 })
    await drain()
    assert.notEqual(again, first)
    assert.deepEqual(numbers().toSorted(), [5, 7, 8, 9])
  })

  it('is tried again by its schedule, shown as failing, and reported when it has failed for good', async () => {
    work.run = () => {
      throw new Error('The printer is on fire.')
    }
    const id = await enqueueFor(service, tenant.id, 10)
    await drain()
    const failing = await read(id)
    assert.deepEqual(
      [failing.status, failing.attempts, failing.error],
      ['FAILING', 1, 'The printer is on fire.'],
    )
    clock.advance({ seconds: 10 })
    await drain()
    assert.deepEqual(await events(), [])
    clock.advance({ seconds: 100 })
    await drain()
    const dead = await read(id)
    assert.deepEqual([dead.status, dead.attempts, dead.nextAttemptAt], ['DEAD', 3, null])
    const [event, ...more] = await events()
    assert.deepEqual(more, [])
    assert.equal(event?.['tenant_id'], tenant.id)
    const expected = { jobId: id, name: 'work.do', attempts: 3, error: 'The printer is on fire.' }
    assert.deepEqual(JSON.parse(String(event?.['data'])), expected)
    const { text } = await service.anonymous.get('/metrics')
    assert.match(text, /^tenantry_jobs_attempts_total\{job="work.do",outcome="failure"\} 3$/m)
    assert.match(text, /^tenantry_jobs\{status="DEAD"\} 1$/m)
  })

  it('is retried by an administrator, with the whole schedule, and that is audited', async () => {
    const { body } = await tenant.admin.get('/api/jobs?status=DEAD')
    assert.equal(body.length, 1)
    const id: string = body[0].id
    assert.equal((await tenant.user.post(`/api/jobs/${id}/retry`)).status, 403)
    work.run = () => {
      throw new Error('Still burning.')
    }
    const retried = await tenant.admin.post(`/api/jobs/${id}/retry`)
    assert.deepEqual(
      [retried.status, retried.body.status, retried.body.data],
      [200, 'FAILING', { number: 10 }],
    )
    await drain()
    assert.deepEqual([(await read(id)).status, (await read(id)).attempts], ['FAILING', 4])
    work.run = () => undefined
    assert.equal((await tenant.admin.post(`/api/jobs/${id}/retry`)).status, 200)
    await drain()
    assert.deepEqual([(await read(id)).status, (await read(id)).error], ['SUCCEEDED', null])
    const refused = await tenant.admin.post(`/api/jobs/${id}/retry`)
    assert.deepEqual([refused.status, /SUCCEEDED/.test(refused.text)], [400, true])
    const audit = await tenant.admin.get('/api/audit?action=job.retried')
    const records: { subjectId: string; actorName: string }[] = audit.body
    assert.deepEqual(
      records.map(({ subjectId, actorName }) => [subjectId, actorName]),
      [
        [id, 'boss'],
        [id, 'boss'],
      ],
    )
  })

  it('has failed when it takes too long, and hides the text of system errors', async () => {
    work.run = ({ context }) =>
      new Promise((_, reject) =>
        context.signal?.addEventListener('abort', () => reject(context.signal?.reason)),
      )
    const id = await enqueueFor(service, tenant.id, 11)
    await drain()
    assert.equal((await read(id)).error, 'The job took longer than 0.1 seconds.')
    work.run = () => {
      throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' })
    }
    const hidden = await enqueueFor(service, tenant.id, 12)
    await drain()
    assert.equal((await read(hidden)).error, `The job failed. The log has the cause under the id ${hidden}.`)
  })

  it('is refused with data that does not match, with too much of it, and under an unknown name', async () => {
    await assert.rejects(enqueueFor(service, tenant.id, 1.5), /number/)
    const operator = await service.service.operator()
    const asked = (name: string, data: unknown, key = 'x') =>
      forTenant(operator, tenant.id, (context) => enqueue(context, name as 'work.do', data as never, { key }))
    await assert.rejects(asked('work.none', {}), /No feature declares the job work.none/)
    await assert.rejects(asked('work.do', { number: 1, more: 'x'.repeat(70_000) }), /64 KiB/)
    await assert.rejects(asked('work.do', { number: 1 }, 'x'.repeat(201)), /key/)
  })

  it('is listed newest first, by status and name, page by page', async () => {
    const { admin, id } = await service.newTenant()
    const at = new Date(clock.now().getTime() + 1e9)
    for (const number of [1, 2, 3]) await enqueueFor(service, id, number, { at })
    await enqueueFor(service, id, 4, { name: 'work.other' })
    await drain()
    const list = async (query: string) => {
      const { status, body, headers } = await admin.get(`/api/jobs?${query}`)
      assert.equal(status, 200)
      const rows: { name: string; status: string }[] = body
      return { rows: rows.map((row) => `${row.name} ${row.status}`), link: headers.get('link') }
    }
    const all = ['work.other SUCCEEDED', ...Array<string>(3).fill('work.do PENDING')]
    assert.deepEqual((await list('')).rows, all)
    assert.deepEqual((await list('name=work.other')).rows, all.slice(0, 1))
    assert.deepEqual((await list('status=PENDING&name=work.do')).rows, all.slice(1))
    const { rows, link } = await list('limit=3')
    assert.equal(rows.length, 3)
    const next = /\?(.*)>/.exec(link ?? '')?.[1] ?? ''
    assert.deepEqual((await list(next)).rows, all.slice(3))
    assert.equal((await admin.get('/api/jobs?status=NONE')).status, 400)
    const ofOneJob = await admin.get('/api/jobs?fields=data')
    assertError(ofOneJob, 400, 'fields: data is not a member of a row')
  })

  it('is removed when it has ended long ago', async () => {
    const { admin, id } = await service.newTenant()
    await enqueueFor(service, id, 1)
    await enqueueFor(service, id, 2, { at: new Date(clock.now().getTime() + 1e10) })
    await drain()
    const { id: waits } = (await admin.get('/api/jobs?status=PENDING')).body[0]
    clock.advance({ days: 31 })
    await runInterval(service, 'retention of jobs')
    const { client } = await service.signIn('boss', id)
    const rows: { id: string }[] = (await client.get('/api/jobs')).body
    assert.deepEqual(
      rows.map((row) => row.id),
      [waits],
    )
  })
})
