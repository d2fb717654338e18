/** Finished deliveries are removed by age, and nothing else is. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newId } from '../../../../src/core/id.ts'
import { intervalJobsOf } from '../../../../src/core/jobs.ts'
import { removeFinished } from '../../../../src/webhooks/outgoing/retention/retention.ts'
import { TestClock } from '../../../support/clock.ts'
import { inspect } from '../../../support/database/inspect.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { insertCopies } from '../../../support/webhooks/copies.ts'
import { answering, onlyDelivery, setScene } from '../../../support/webhooks/delivery-scene.ts'
import { insertOldEvents } from './old-events.ts'

onEachDatabase('Retention', (database) => {
  it('removes finished deliveries with their attempts and events once they are old, and keeps what waits', async () => {
    const clock = new TestClock()
    await using scene = await setScene(database, {}, { clock: clock.now })
    const count = async (table: string) => {
      const rows = await inspect(
        scene.service.config.databaseUrl,
        `SELECT tenant_id FROM ${table} WHERE tenant_id = '${scene.tenant.id}'`,
      )
      return rows.length
    }
    await scene.subscribe(await scene.receiver(), { events: ['done.thing'] })
    await scene.subscribe(await scene.receiver(answering(500)), {
      events: ['slow.thing'],
      retrySeconds: [80_000],
    })
    await scene.publish('done.thing')
    await scene.publish('slow.thing')
    await scene.publish('unwanted.thing')
    await scene.look()
    const retain = intervalJobsOf(scene.service.service.features).find(({ name }) =>
      name.includes('deliveries'),
    )
    assert.ok(retain)
    await scene.service.service.queueWorkers.stop() // what waits is due by then
    const events = await count('event')
    const operator = await scene.service.service.operator()
    clock.advance({ days: 29 })
    await retain.run(operator, new AbortController().signal)
    assert.deepEqual([await count('delivery'), await count('attempt'), await count('event')], [2, 2, events])
    clock.advance({ days: 2 })
    await retain.run(operator, new AbortController().signal)
    assert.deepEqual([await count('delivery'), await count('attempt'), await count('event')], [1, 1, 1])
  })

  it('goes in batches through more than one transaction takes', async () => {
    await using scene = await setScene(database)
    const { service, tenant } = scene
    await scene.subscribe(await scene.receiver())
    await scene.publish()
    await scene.look()
    const { id: made } = await onlyDelivery(scene.user)
    const of = (table: string, column = 'id') =>
      `${table} WHERE tenant_id = '${tenant.id}' AND ${column} = '${made}'` as const
    const ids = Array.from({ length: 600 }, () => newId())
    await insertCopies(
      service.service,
      of('delivery'),
      ids.map((id) => ({ id, copy: id })),
    )
    await insertCopies(
      service.service,
      of('attempt', 'delivery_id'),
      ids.map((id) => ({ id, delivery_id: id })),
    )
    const { catalogueDatabase } = (await service.service.operator()).shared
    const before = new Date(Date.now() + 1000)
    await insertOldEvents(catalogueDatabase, tenant.id, 600, new Date('2020-01-01T00:00:00Z'))
    await removeFinished(catalogueDatabase, before)
    const left = async (table: string) =>
      inspect(service.config.databaseUrl, `SELECT id FROM ${table} WHERE tenant_id = '${tenant.id}'`)
    assert.deepEqual(await Promise.all(['delivery', 'attempt', 'event'].map(left)), [[], [], []])
  })
})
