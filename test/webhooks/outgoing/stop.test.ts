/** A stopping service releases its deliveries. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { inspect } from '../../support/database/inspect.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { startInstance } from '../../support/instance.ts'
import { eventIds, setScene } from '../../support/webhooks/delivery-scene.ts'

onEachDatabase('A stop', (database) => {
  it('waits for what is being sent, and records it', async () => {
    await using scene = await setScene(database)
    let answer = (): void => undefined
    const receiver = await scene.receiver((response) => {
      answer = () => response.end()
    })
    await scene.subscribe(receiver)
    await scene.publish()
    await eventually('the request', soonMs, async () => receiver.requests.length === 1)
    const stopped = scene.service.service.stop()
    setTimeout(() => answer(), 100)
    await stopped
    const rows = await inspect(scene.service.config.databaseUrl, 'SELECT status, lease FROM delivery')
    assert.deepEqual(
      rows.map(({ status, lease }) => [status, lease]),
      [['SUCCEEDED', null]],
    )
  })

  it('gives back what takes too long: the next instance sends it at once', async () => {
    await using scene = await setScene(database, {}, { deliveryStopWithinMs: 100 })
    let calls = 0
    const receiver = await scene.receiver((response) => {
      if (++calls > 1) response.end()
    })
    await scene.subscribe(receiver)
    const id = await scene.publish()
    await eventually('the request', soonMs, async () => calls === 1)
    await scene.service.service.stop()
    const rows = await inspect(
      scene.service.config.databaseUrl,
      'SELECT status, lease, attempts FROM delivery',
    )
    assert.deepEqual(
      rows.map(({ status, lease, attempts }) => [status, lease, Number(attempts)]),
      [['PENDING', null, 0]],
    )
    const next = await startInstance(scene.service)
    await eventually('the second attempt', soonMs, async () => calls === 2)
    assert.deepEqual(eventIds(receiver.requests), [id, id])
    await next.stop()
  })
})
