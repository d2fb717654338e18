/** Two tenants of one database may have equal ids, and stay separate. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { inspect } from '../../support/database/inspect.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { deliveries, publish, subscribe } from '../../support/webhooks/delivery-scene.ts'
import { scenesOfShared } from '../scenes.ts'

onEachDatabase('Subscriptions of two tenants with one id', (database) => {
  const setScene = scenesOfShared(database)

  it('are sent, and judged, each by its own', async () => {
    await using scene = await setScene()
    const { databaseUrl } = scene.service.config
    const [one, other] = [scene.user, (await scene.service.newTenant()).user]
    const answers: (() => void)[] = []
    /** All at once, so that they are recorded together. */
    const answer = (end: () => void): void => {
      answers.push(end)
      if (answers.length === 4) for (const each of answers) each()
    }
    const good = await scene.receiver((response) => answer(() => response.end()))
    const bad = await scene.receiver((response) => answer(() => response.writeHead(500).end()))
    const events = { events: ['thing.*'] }
    const id = await subscribe(one, good, events)
    const changed = await subscribe(other, bad, events)
    await inspect(
      databaseUrl,
      `UPDATE subscription SET is_active = false, id = '${id}' WHERE id IN ('${id}', '${changed}')`,
    )
    for (const client of [one, other, one, other]) await publish(client)
    await scene.look()
    assert.equal(answers.length, 0)
    await inspect(databaseUrl, `UPDATE subscription SET is_active = true WHERE id = '${id}'`) // so that they are claimed together
    await scene.look()
    const tenants = ({ requests }: typeof good) => requests.map(({ body }) => JSON.parse(body).tenantId)
    assert.deepEqual(new Set(tenants(good)), new Set([scene.tenant.id]))
    assert.equal(tenants(bad).length, 2)
    const counts = async (client: typeof one) => {
      const { body } = await client.get(`/api/webhooks/subscriptions/${id}`)
      return [body.successCount, body.failureCount]
    }
    assert.deepEqual(
      [await counts(one), await counts(other)],
      [
        [2, 0],
        [0, 2],
      ],
    )
    assert.deepEqual(
      (await deliveries(one)).map(({ status }) => status),
      ['SUCCEEDED', 'SUCCEEDED'],
    )
  })
})
