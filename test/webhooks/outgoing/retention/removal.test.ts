/** Old deliveries are removed while they are requested again: either comes first, and neither fails. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Executor } from '../../../../src/database/executor.ts'
import { removeFinished } from '../../../../src/webhooks/outgoing/retention/retention.ts'
import { inspect } from '../../../support/database/inspect.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { assertError } from '../../../support/error.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { runsOf } from '../../../support/run/extent.ts'
import {
  answering,
  deliveries,
  onlyDelivery,
  type Scene,
  setScene,
} from '../../../support/webhooks/delivery-scene.ts'
import { scenesOfOwn } from '../../scenes.ts'

const events = runsOf(20, 40)

onEachDatabase('The removal of old deliveries', (database) => {
  it('and replays meet: each replay is made, or is refused with 404', async () => {
    await using scene = await setScene(database)
    const receiver = await scene.receiver()
    await scene.subscribe(receiver)
    for (let count = 0; count < events; count++) await scene.publish()
    await scene.look()
    const replays = (await deliveries(scene.user)).map(
      ({ id }) =>
        () =>
          replay(scene, id),
    )
    const first = replays.splice(0, events / 2).map((ask) => ask())
    const [answers] = await Promise.all([
      Promise.all([...first, ...replays.map((ask) => ask())]),
      removeAll(scene),
    ])
    for (const answer of answers) {
      if (answer.status !== 202) assertError(answer, 404, 'There is no such delivery.')
    }
    // A replay that has ended already is removed like anything else that has.
    const made = answers.filter(({ status }) => status === 202).length
    await eventually('all replays', soonMs, async () => receiver.requests.length >= events + made)
    await scene.look()
    assert.equal(receiver.requests.length, events + made)
  })
})

describe('A removal beside another transaction on postgres', () => {
  const newScene = scenesOfOwn('postgres')

  it('that is about to commit makes a replay wait, and then answer 404', async () => {
    await using scene = await newScene()
    await scene.subscribe(await scene.receiver())
    await scene.publish()
    await scene.look()
    const { id } = await onlyDelivery(scene.user)
    const answer = await meanwhile(
      scene,
      async (transaction) => {
        for (const table of ['attempt', 'delivery', 'event'])
          await transaction.run(`DELETE FROM ${table} WHERE tenant_id = $1`, [scene.tenant.id], false)
      },
      () => replay(scene, id),
    )
    assertError(answer, 404, 'There is no such delivery.')
  })

  it('leaves the event of a replay that is about to commit', async () => {
    await using scene = await newScene()
    await scene.subscribe(await scene.receiver())
    await scene.publish()
    await scene.publish()
    await scene.look()
    const [{ id } = { id: '' }] = await deliveries(scene.user)
    const copied = `INSERT INTO delivery SELECT tenant_id, gen_random_uuid(), subscription_id, event_id, event_type,
      'REPLAY', 'again', status, attempts, attempts_before, queue, next_at, lease, created_at, finished_at, reason
      FROM delivery WHERE id = $1`
    await meanwhile(
      scene,
      async (transaction) => void (await transaction.run(copied, [id], false)),
      () => removeAll(scene),
    )
    assert.deepEqual(
      (await deliveries(scene.user)).map(({ kind }) => kind),
      ['REPLAY'],
    )
    const ofTenant = `SELECT id FROM event WHERE tenant_id = '${scene.tenant.id}' AND type = 'thing.happened'`
    assert.equal((await inspect(scene.service.config.databaseUrl, ofTenant)).length, 1)
  })

  it('leaves the attempts of what is recovered meanwhile', async () => {
    await using scene = await newScene()
    const subscribed = await scene.subscribe(await scene.receiver(answering(500)), { retrySeconds: [] })
    await scene.publish()
    await scene.look()
    await scene.user.send('PATCH', `/api/webhooks/subscriptions/${subscribed}`, { isActive: false })
    const again = `UPDATE delivery SET status = 'PENDING', queue = $1, next_at = now(), finished_at = NULL`
    await meanwhile(
      scene,
      async (transaction) => {
        const line = `${scene.tenant.id}/${subscribed}/first`
        await transaction.run(again, [line], false)
      },
      () => removeAll(scene),
    )
    assert.equal((await onlyDelivery(scene.user)).attemptLog.length, 1)
  })
})

const replay = ({ user }: Scene, id: string) => user.post(`/api/webhooks/deliveries/${id}/replay`)

async function removeAll({ service }: Scene): Promise<void> {
  const { catalogueDatabase } = (await service.service.operator()).shared
  await removeFinished(catalogueDatabase, new Date(Date.now() + 1000))
}

/** Asks while `work` is done and not committed, and commits once what was asked waits for it, or has ended. */
async function meanwhile<T>(
  { service }: Scene,
  work: (transaction: Executor) => Promise<void>,
  ask: () => Promise<T>,
): Promise<T> {
  const { catalogueDatabase } = (await service.service.operator()).shared
  let asked: Promise<T> | null = null
  await catalogueDatabase.transaction(async (transaction) => {
    await work(transaction)
    let isOver = false
    const over = () => {
      isOver = true
    }
    asked = ask()
    asked.then(over, over)
    const waits =
      "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    const isMet = async () =>
      isOver || (await catalogueDatabase.executor.run(waits, [], true)).rows.length > 0
    await eventually('the meeting', soonMs, isMet)
  })
  return asked ?? assert.fail('It was not asked.')
}
