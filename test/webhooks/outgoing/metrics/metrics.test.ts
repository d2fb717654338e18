import assert from 'node:assert/strict'
import { it } from 'node:test'
import { intervalJobsOf } from '../../../../src/core/jobs.ts'
import { TestClock } from '../../../support/clock.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { type Instance, startInstance } from '../../../support/instance.ts'
import { uniqueName } from '../../../support/service.ts'
import { answering, type Scene, setScene } from '../../../support/webhooks/delivery-scene.ts'
import { scenesOfOwn } from '../../scenes.ts'

/** One of those that serve the same. */
type Asked = Pick<Instance, 'service' | 'anonymous'>

onEitherDatabase('The figures of deliveries', (database) => {
  const clock = new TestClock()
  const newScene = scenesOfOwn(database, {}, { clock: clock.now })

  /** @returns by how much each has grown since, also later */
  async function growth({ service }: Scene) {
    const read = () => {
      clock.advance({ minutes: 3 }) // counts are kept for a while, the longer the more time they have taken
      return figures(service)
    }
    const before = await read()
    return async () => {
      const after = await read()
      return (name: string) => (after(name) ?? 0) - (before(name) ?? 0)
    }
  }

  it('count attempts by outcome, what waits, what is dead, and how old the oldest is', async () => {
    await using scene = await newScene()
    const grown = await growth(scene)
    await scene.subscribe(await scene.receiver(), { events: ['good.thing'] })
    await scene.subscribe(await scene.receiver(answering(500)), { events: ['bad.thing'], retrySeconds: [] })
    await scene.subscribe(await scene.receiver(answering(503)), {
      events: ['slow.thing'],
      retrySeconds: [600],
    })
    for (const type of ['good.thing', 'good.thing', 'bad.thing', 'slow.thing']) await scene.publish(type)
    await scene.look()
    const by = await grown()
    assert.equal(by('webhook_attempts_total{outcome="success",error="none"}'), 2)
    assert.equal(by('webhook_attempts_total{outcome="failure",error="status"}'), 2)
    assert.equal(by('webhook_queue_depth'), 1)
    assert.equal(by('webhook_dead_letters'), 1)
    await scene.look() // the clock has moved on since
    const figure = await figures(scene.service)
    assert.equal(figure('webhook_undispatched_events'), 0)
    assert.equal(figure('webhook_in_flight'), 0)
    assert.equal(figure('webhook_oldest_due_seconds'), 0)
  })

  it('count what is dead only while its subscription is there to recover it', async () => {
    await using scene = await newScene()
    const grown = await growth(scene)
    const gone = await scene.subscribe(await scene.receiver(answering(500)), { retrySeconds: [] })
    await scene.subscribe(await scene.receiver(answering(500)), { retrySeconds: [] })
    await scene.publish()
    await scene.look()
    assert.equal((await grown())('webhook_dead_letters'), 2)
    await scene.user.delete(`/api/webhooks/subscriptions/${gone}`)
    assert.equal((await grown())('webhook_dead_letters'), 1)
  })

  it('show what is being sent', async () => {
    await using scene = await newScene()
    const grown = await growth(scene)
    const receiver = await scene.receiver(() => undefined)
    await scene.subscribe(receiver)
    await scene.publish()
    await eventually('the request', soonMs, async () => receiver.requests.length === 1)
    const by = await grown()
    assert.deepEqual([by('webhook_in_flight'), by('webhook_queue_depth')], [1, 1])
  })

  it('count databases of tenants too, as they were when they were last looked at', async () => {
    await using scene = await setScene(database, { OPEN_TENANT_DATABASES: '1' }, { clock: clock.now })
    const own = () => scene.service.newTenant({ connectionString: `sqlite:${uniqueName('own')}.db` })
    const { user } = await own()
    await scene.subscribe(await scene.receiver(answering(500)), { retrySeconds: [], events: ['bad.*'] }, user)
    const members = { retrySeconds: [60], events: ['slow.*'] }
    await scene.subscribe(await scene.receiver(answering(500)), members, user)
    for (const type of ['bad.thing', 'slow.thing', 'slow.thing']) await scene.publish(type, {}, user)
    await scene.look()
    await runJob(scene.service, 'count in tenants’ databases')
    for (let count = 0; count < 2; count++) await (await own()).user.get('/api/products')
    const figure = await figures(scene.service)
    assert.deepEqual([figure('webhook_queue_depth'), figure('webhook_dead_letters')], [2, 1])
    clock.advance({ seconds: 61 })
    await scene.look()
    await runJob(scene.service, 'count in tenants’ databases')
    const later = await figures(scene.service)
    assert.deepEqual([later('webhook_queue_depth'), later('webhook_dead_letters')], [0, 3])
  })

  it('know after a restart what is dead in databases that nobody opens, once the retention has been there', async () => {
    await using scene = await setScene(database, {}, { clock: clock.now })
    const { user } = await scene.service.newTenant({ connectionString: `sqlite:${uniqueName('own')}.db` })
    await scene.subscribe(await scene.receiver(answering(500)), { retrySeconds: [] }, user)
    await scene.publish('thing.bad', {}, user)
    await scene.look()
    clock.advance({ minutes: 6 })
    await scene.look()
    await scene.look()
    await scene.service.service.stop()
    const next = await startInstance(scene.service, { clock: clock.now })
    const dead = async () => (await figures(next))('webhook_dead_letters')
    assert.equal(await dead(), 0)
    await runJob(next, 'retention of deliveries')
    assert.equal(await dead(), 1)
    await runJob(next, 'count in tenants’ databases')
    assert.equal(await dead(), 1)
    await next.stop()
  })

  it('grow old with what may not be sent yet', async () => {
    await using scene = await setScene(
      database,
      {},
      { deliveryLimits: { total: 4, tenant: 1, subscription: 1 } },
    )
    const receiver = await scene.receiver(() => undefined)
    await scene.subscribe(receiver)
    await scene.publish()
    await eventually('the request', soonMs, async () => receiver.requests.length === 1)
    await scene.publish()
    const isOld = async () => ((await figures(scene.service))('webhook_oldest_due_seconds') ?? 0) > 0.2
    await eventually('an age', soonMs, isOld)
    await receiver.close()
  })
})

async function runJob({ service }: Asked, name: string): Promise<void> {
  const job = intervalJobsOf(service.features).find((each) => each.name === name)
  await job?.run(await service.operator(), new AbortController().signal)
  assert.ok(job)
}

async function figures({ anonymous }: Asked): Promise<(name: string) => number | undefined> {
  const { text } = await anonymous.get('/metrics')
  const samples = new Map(
    text
      .split('\n')
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
  return (name) => samples.get(name)
}
