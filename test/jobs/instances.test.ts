/** A job and several instances: one runs it at a time, however long it takes, and a stop gives it back. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { onEachDatabase } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { startInstance } from '../support/instance.ts'
import { runsOf } from '../support/run/extent.ts'
import { startService } from '../support/service.ts'
import { enqueueFor, newWork, workFeature } from './work-feature.ts'

const jobs = runsOf(80, 200)

it('Two instances on PostgreSQL never run one job at once, nor twice, and both run some', async () => {
  const running = new Set<string>()
  const instances = new Set<unknown>()
  const work = newWork(async ({ jobId, context }) => {
    assert.ok(!running.has(jobId))
    running.add(jobId)
    instances.add(context.shared)
    await delay(25) // so long that one instance alone cannot keep up
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
  const work = newWork(() => delay(1200))
  const options = { features: [workFeature(work)], jobLimits: { leaseMs: 300 } }
  const service = await startService('postgres', {}, options)
  const other = await startInstance(service, options)
  const id = await enqueueFor(service, 'default', 1)
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
    const jobLimits = { abortMs: 50, leaseMs: 1000 }
    const options = { features: [workFeature(work)], jobLimits, deliveryStopWithinMs: 50 }
    const service = await startService(database, {}, options)
    for (const number of [1, 2]) await enqueueFor(service, 'default', number)
    await eventually('both', soonMs, async () => work.attempts.length === 2)
    await service.service.stop()
    assert.ok(work.attempts.every(({ context }) => context.signal?.aborted === true))
    leave()
    work.run = () => undefined
    const next = await startInstance(service, options)
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
    await next.service.queueWorkers.drain()
    await next.stop()
    await service.stop()
  })
})
