/** A job and several instances: one runs it at a time, however long it takes, and a stop gives it back. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { StillClock } from '../support/clock.ts'
import { inspect } from '../support/database/inspect.ts'
import { onEachDatabase } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { startInstance } from '../support/instance.ts'
import { runsOf } from '../support/run/extent.ts'
import { startService } from '../support/service.ts'
import { enqueueFor, newWork, workFeature } from './work-feature.ts'

const jobs = runsOf(80, 200)
const leaseMs = 300

it('Two instances on PostgreSQL never run one job at once, nor twice, and both run some', async () => {
  const running = new Set<string>()
  const instances = new Set<unknown>()
  const { promise: bothRun, resolve } = Promise.withResolvers<void>()
  const work = newWork(async ({ jobId, context }) => {
    assert.ok(!running.has(jobId))
    running.add(jobId)
    instances.add(context.shared)
    if (instances.size === 2) resolve()
    await bothRun // one instance alone has permits for four jobs
    running.delete(jobId)
  })
  const options = { features: [workFeature(work)], jobLimits: { perTenant: 4, total: 8 } }
  const service = await startService('postgres', {}, options)
  const other = await startInstance(service, options)
  const ids: string[] = []
  for (let number = 0; number < jobs; number++) ids.push(await enqueueFor(service, 'default', number))
  const isDone = async () =>
    (await service.host.get('/api/jobs?status=SUCCEEDED&limit=200')).body.length === jobs
  await eventually('the end of all jobs', soonMs, isDone)
  assert.deepEqual(work.attempts.map(({ jobId }) => jobId).toSorted(), ids.toSorted())
  assert.equal(instances.size, 2)
  await other.stop()
  await service.stop()
})

it('A job that takes longer than a lease keeps it', async () => {
  const clock = new StillClock()
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const work = newWork(() => end)
  const options = { features: [workFeature(work)], jobLimits: { leaseMs }, clock: clock.now }
  const service = await startService('postgres', {}, options)
  const other = await startInstance(service, options)
  const id = await enqueueFor(service, 'default', 1)
  await eventually('the beginning of the job', soonMs, async () => work.attempts.length === 1)
  const { shared } = await service.service.operator()
  const idle = work.attempts[0]?.context.shared === shared ? other : service
  const leasedUntil = async (): Promise<number> => {
    const sql = `SELECT next_at::text AS until FROM queued_job WHERE id = '${id}'`
    const [row] = await inspect(service.config.databaseUrl, sql)
    return Date.parse(String(row?.['until']))
  }
  // Time passes when the lease has been extended, for more than two leases together.
  for (let passed = 0; passed < 2.5 * leaseMs; passed += leaseMs / 2) {
    clock.advance({ ms: leaseMs / 2 })
    const until = clock.now().getTime() + leaseMs
    await eventually('a longer lease', soonMs, async () => (await leasedUntil()) === until)
    await idle.service.queueWorkers.drain()
  }
  resolve()
  const isDone = async () => (await service.host.get(`/api/jobs/${id}`)).body.status === 'SUCCEEDED'
  await eventually('the end of the job', soonMs, isDone)
  assert.equal(work.attempts.length, 1)
  await other.stop()
  await service.stop()
})

onEachDatabase('A stop', (database) => {
  it('aborts jobs, waits for no job that goes on, and a start runs them again', async () => {
    const { promise: isLeft, resolve: leave } = Promise.withResolvers<void>()
    const work = newWork(async ({ number, context: { signal } }) => {
      if (number === 2) return isLeft
      await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    })
    const clock = new StillClock()
    const jobLimits = { abortMs: 50, leaseMs }
    const options = { features: [workFeature(work)], jobLimits, deliveryStopWithinMs: 50, clock: clock.now }
    const service = await startService(database, {}, options)
    for (const number of [1, 2]) await enqueueFor(service, 'default', number)
    await eventually('both', soonMs, async () => work.attempts.length === 2)
    await service.service.stop()
    assert.ok(work.attempts.every(({ context }) => context.signal?.aborted === true))
    leave()
    work.run = () => undefined
    const next = await startInstance(service, options)
    clock.advance({ ms: leaseMs })
    await next.service.queueWorkers.drain()
    await eventually('both again', soonMs, async () => work.attempts.length === 4)
    const again = work.attempts.slice(2).toSorted((one, another) => one.number - another.number)
    // The attempt that was given back does not count. The other one goes on for all that the database knows.
    assert.deepEqual(
      again.map(({ number, attempt }) => [number, attempt]),
      [
        [1, 1],
        [2, 2],
      ],
    )
    await next.stop()
    await service.stop()
  })
})
