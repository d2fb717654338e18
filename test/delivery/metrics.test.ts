import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventually } from '../concurrency/eventually.ts'
import { onEachDatabase } from '../harness/databases.ts'
import { answering, type Scene, setScene } from './scene.ts'

onEachDatabase('The figures of deliveries', (database) => {
  it('count attempts by outcome, what waits, what is dead, and how old the oldest is', async () => {
    await using scene = await setScene(database)
    await scene.subscribe(await scene.receiver(), { events: ['good.thing'] })
    await scene.subscribe(await scene.receiver(answering(500)), { events: ['bad.thing'], retrySeconds: [] })
    await scene.subscribe(await scene.receiver(answering(503)), {
      events: ['slow.thing'],
      retrySeconds: [600],
    })
    for (const type of ['good.thing', 'good.thing', 'bad.thing', 'slow.thing']) await scene.publish(type)
    await scene.look()
    const figure = await figures(scene)
    assert.equal(figure('webhook_attempts_total{outcome="success",error="none"}'), 2)
    assert.equal(figure('webhook_attempts_total{outcome="failure",error="status"}'), 2)
    assert.equal(figure('webhook_queue_depth'), 1)
    assert.equal(figure('webhook_dead_letters'), 1)
    assert.equal(figure('webhook_undispatched_events'), 0)
    assert.equal(figure('webhook_in_flight'), 0)
    assert.equal(figure('webhook_oldest_due_seconds'), 0)
  })

  it('show what is being sent', async () => {
    await using scene = await setScene(database)
    const receiver = await scene.receiver(() => undefined)
    await scene.subscribe(receiver)
    await scene.publish()
    await eventually('the request', 5000, async () => receiver.requests.length === 1)
    const figure = await figures(scene)
    assert.deepEqual([figure('webhook_in_flight'), figure('webhook_queue_depth')], [1, 1])
    await receiver.close()
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
    await eventually('the request', 5000, async () => receiver.requests.length === 1)
    await scene.publish()
    const isOld = async () => ((await figures(scene))('webhook_oldest_due_seconds') ?? 0) > 0.2
    await eventually('an age', 5000, isOld)
    await receiver.close()
  })
})

async function figures({ service }: Scene): Promise<(name: string) => number | undefined> {
  const { text } = await service.anonymous.get('/metrics')
  const samples = new Map(
    text
      .split('\n')
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
  return (name) => samples.get(name)
}
