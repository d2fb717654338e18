/** The deliveries of a subscription by hour. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { firstIdAt } from '../../../../src/core/id.ts'
import { TenantData } from '../../../../src/database/data.ts'
import type { Database, Executor } from '../../../../src/database/executor.ts'
import { deliveriesByHour, maxCountedDeliveries } from '../../../../src/webhooks/outgoing/health/sql.ts'
import type { Client } from '../../../support/client.ts'
import { StillClock } from '../../../support/clock.ts'
import { type DatabaseName, onEachDatabase } from '../../../support/databases.ts'
import { assertError } from '../../../support/error.ts'
import {
  answering,
  publish,
  type Scene,
  setScene,
  subscribe,
} from '../../../support/webhooks/delivery-scene.ts'
import { openPortal } from '../../portal/portal.ts'

const hourSeconds = 3600

onEachDatabase('The deliveries of a subscription by hour', (database) => {
  const clock = new StillClock()
  let scene: Scene
  before(async () => {
    scene = await setScene(database, {}, { clock: clock.now })
  })
  after(() => scene[Symbol.asyncDispose]())

  const healthOf = async (user: Client, id: string) => {
    const answer = await user.get(`/api/webhooks/subscriptions/${id}/health`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body as {
      hours: { hour: string; delivered: number; failed: number }[]
      isComplete: boolean
    } // as described
  }

  it('are 24 hours, with what succeeded, what died, and what waits for a retry', async () => {
    const { user } = await scene.service.newTenant()
    const good = await subscribe(user, await scene.receiver(), { events: ['good.*'] })
    const bad = await subscribe(user, await scene.receiver(answering(500)), {
      events: ['bad.*'],
      retrySeconds: [],
    })
    const slow = await subscribe(user, await scene.receiver(answering(503)), { events: ['slow.*'] })
    clock.advance({ seconds: -hourSeconds })
    for (const type of ['good.thing', 'good.thing', 'bad.thing', 'slow.thing']) await publish(user, type)
    await scene.look()
    clock.advance({ seconds: hourSeconds })
    await publish(user, 'good.thing')
    await scene.look()
    const { hours, isComplete } = await healthOf(user, good)
    const present = clock.now().getTime()
    const expected = (delivered: readonly [number, number], failed: number) =>
      Array.from({ length: 24 }, (_, index) => ({
        hour: new Date(present - (23 - index) * hourSeconds * 1000).toISOString(),
        delivered: index === 22 ? delivered[0] : index === 23 ? delivered[1] : 0,
        failed: index === 22 ? failed : 0,
      }))
    assert.deepEqual(hours, expected([2, 1], 0))
    assert.equal(isComplete, true)
    for (const id of [bad, slow]) assert.deepEqual((await healthOf(user, id)).hours, expected([0, 0], 1))
  })

  it('end with the day: what is older is not counted', async () => {
    const { user } = await scene.service.newTenant()
    const id = await subscribe(user, await scene.receiver())
    const publishBefore = async (age: number) => {
      clock.advance({ seconds: -age * hourSeconds })
      await publish(user)
      await scene.look()
      clock.advance({ seconds: age * hourSeconds })
    }
    await publishBefore(24)
    await publishBefore(23)
    const { hours } = await healthOf(user, id)
    assert.deepEqual(
      hours.map(({ delivered }) => delivered),
      [1, ...Array.from({ length: 23 }, () => 0)],
    )
  })

  it('leave out events that the caller may not see', async () => {
    const { admin } = await scene.service.newTenant()
    const members = { events: ['role.*', 'thing.*'], customer: '7' }
    const id = await subscribe(admin, await scene.receiver(), members)
    const { client: portal } = await openPortal(admin, scene.service.anonymous, { customer: '7' })
    await publish(admin)
    const made = await admin.post('/api/roles', { name: 'clerk', permissions: [] })
    assert.equal(made.status, 201, made.text)
    await scene.look()
    const counted = async (client: Client) =>
      (await healthOf(client, id)).hours.reduce((sum, { delivered }) => sum + delivered, 0)
    assert.deepEqual([await counted(admin), await counted(portal)], [2, 1])
  })

  it('are those of the own tenant: 404 for others', async () => {
    const id = await subscribe(scene.user, await scene.receiver())
    const other = await scene.service.newTenant()
    assertError(await other.user.get(`/api/webhooks/subscriptions/${id}/health`), 404)
  })

  it('are read by the index of the subscription, and no more than the newest', async () => {
    const tenant = await scene.service.newTenant()
    const subscriptionId = await subscribe(tenant.user, await scene.receiver())
    const opened = (await scene.service.service.operator()).shared.catalogueDatabase
    await insertDeliveries(opened, { tenantId: tenant.id, subscriptionId, createdAt: clock.now() })
    const { hours, isComplete } = await healthOf(tenant.user, subscriptionId)
    assert.equal(hours.at(-1)?.delivered, maxCountedDeliveries)
    assert.equal(isComplete, false)
    const plans: string[] = []
    await deliveriesByHour(new TenantData(tenant.id, recordPlans(opened.executor, plans)), {
      subscriptionId,
      from: firstIdAt(new Date(0)),
      since: new Date(0).toISOString(),
      hiddenTypes: '[]',
    })
    const plan = plans.join('\n')
    assert.match(plan, /\bdelivery_subscription\b/, plan)
    assert.doesNotMatch(plan, /Seq Scan|SCAN delivery/, plan)
  })
})

const insert: Record<DatabaseName, readonly [event: string, deliveries: string]> = {
  sqlite: [
    `INSERT INTO event (tenant_id, id, type, data, created_at, dispatched_at) VALUES (?, ?, 'x', '{}', ?, ?)`,
    `INSERT INTO delivery (tenant_id, id, subscription_id, event_id, event_type, kind, copy, status, attempts, attempts_before, created_at)
      SELECT ?, value, ?, ?, 'x', 'EVENT', value, 'SUCCEEDED', 1, 0, ? FROM json_each(?)`,
  ],
  postgres: [
    `INSERT INTO event (tenant_id, id, type, data, created_at, dispatched_at) VALUES ($1, $2, 'x', '{}', $3, $4)`,
    `INSERT INTO delivery (tenant_id, id, subscription_id, event_id, event_type, kind, copy, status, attempts, attempts_before, created_at)
      SELECT $1, value::uuid, $2, $3, 'x', 'EVENT', value, 'SUCCEEDED', 1, 0, $4 FROM json_array_elements_text($5)`,
  ],
}

/** Some more than are counted. */
async function insertDeliveries(
  database: Database,
  { tenantId, subscriptionId, createdAt }: { tenantId: string; subscriptionId: string; createdAt: Date },
): Promise<void> {
  const moment = createdAt.toISOString()
  const endMs = Date.now()
  const ids = Array.from({ length: maxCountedDeliveries + 50 }, (_, index) =>
    firstIdAt(new Date(endMs - index)),
  )
  const [event, deliveries] = insert[database.dialect]
  const eventId = `evt-${subscriptionId}`
  await database.transaction(async (transaction) => {
    await transaction.run(event, [tenantId, eventId, moment, moment], false)
    await transaction.run(deliveries, [tenantId, subscriptionId, eventId, moment, JSON.stringify(ids)], false)
  })
  if (database.dialect === 'postgres') await database.executor.run('ANALYZE delivery', [], false)
}

/** Runs what it is given, and notes how the database goes about it. */
function recordPlans(executor: Executor, plans: string[]): Executor {
  const { dialect } = executor
  const explain = dialect === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'
  return {
    dialect,
    run: async (sql, parameters, reusable) => {
      const { rows } = await executor.run(`${explain} ${sql}`, parameters, false)
      plans.push(...rows.map((row) => String(row['detail'] ?? row['QUERY PLAN'])))
      return executor.run(sql, parameters, reusable)
    },
  }
}
