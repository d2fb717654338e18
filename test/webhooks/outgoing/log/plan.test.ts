/** A long log: every filter uses an index, and reads no other rows. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { currentCursor, eventsAfter } from '../../../../src/core/events/feed.ts'
import { firstIdAt } from '../../../../src/core/id.ts'
import { QueueData, TenantData } from '../../../../src/database/data.ts'
import type { Database, Executor } from '../../../../src/database/executor.ts'
import { idsOfPeriod } from '../../../../src/webhooks/outgoing/log/period.ts'
import { deliveries } from '../../../../src/webhooks/outgoing/log/readable.ts'
import { deliveryFrom } from '../../../../src/webhooks/outgoing/log/sql.ts'
import { countOfTenant } from '../../../../src/webhooks/outgoing/metrics/sql.ts'
import { claimNewEvents } from '../../../../src/webhooks/outgoing/outbox/sql.ts'
import { finishedEvents } from '../../../../src/webhooks/outgoing/retention/sql.ts'
import { type ExplainedList, explainList } from '../../../support/database/explained-list.ts'
import { type DatabaseName, onEachDatabase } from '../../../support/databases.ts'
import { runsOf } from '../../../support/run/extent.ts'
import { type Scene, setScene } from '../../../support/webhooks/delivery-scene.ts'

const length = runsOf(20_000, 100_000)
/** Of a period that is asked for. */
const first = 0.4 * length
const endMs = Date.now()
/** The clock of the log is another than that of the ids. */
const aheadMs = 40 * 24 * 60 * 60 * 1000
const at = (index: number) => new Date(endMs - (length - index) * 1000)
const shownAt = (index: number) => new Date(at(index).getTime() + aheadMs).toISOString()
const usualSubscriptionId = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
const subscriptionId = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c12'

onEachDatabase(`The log of ${length} deliveries`, (database) => {
  let scene: Scene
  let opened: Database
  /** For what waits, before PostgreSQL has statistics. */
  let firstPlan: string
  before(async () => {
    scene = await setScene(database)
    opened = (await scene.service.service.operator()).shared.catalogueDatabase
    await insertDeliveriesOf(opened, scene.tenant.id)
    firstPlan = planOf(await listed({ status: 'PENDING' }))
    if (database === 'postgres') await opened.executor.run('ANALYZE delivery', [], false)
  })
  after(() => scene[Symbol.asyncDispose]())

  const listed = async (query: object) => {
    const operator = await scene.service.service.operator()
    const of = { database: opened, tenantId: scene.tenant.id }
    return explainList(operator, of, deliveries.list, { limit: 51, ...query })
  }
  const planOf = ({ plans }: ExplainedList) => plans.map(({ text }) => text).join('\n')

  for (const [title, filter, index] of [
    ['of a subscription', { subscriptionId }, 'delivery_subscription'],
    ['dead', { status: 'DEAD' }, 'delivery_undelivered_of_tenant'],
    ['kept', { status: 'KEPT' }, 'delivery_undelivered_of_tenant'],
    ['dead of a subscription', { status: 'DEAD', subscriptionId }, 'delivery_undelivered(_of_tenant)?'],
    ['waiting', { status: 'PENDING' }, 'delivery_queue'],
    ['being sent', { status: 'SENDING', subscriptionId }, 'delivery_queue'],
    ['of a type', { eventType: 'rare.thing' }, 'delivery_event_type'],
  ] as const) {
    it(`is asked for what is ${title} by an index`, async () => {
      const found = await listed(filter)
      assert.equal(found.rows.length, 'subscriptionId' in filter && !('status' in filter) ? 51 : 20)
      const plan = planOf(found)
      assert.match(plan, new RegExp(`\\b${index}\\b`), plan)
      assert.doesNotMatch(plan, /Seq Scan|SCAN t\d/, plan)
    })
  }

  it('is asked for what is waiting by that index alone, while there are no statistics', () => {
    assert.match(firstPlan, /\bdelivery_queue\b/, firstPlan)
    assert.doesNotMatch(firstPlan, /BitmapAnd|Seq Scan|SCAN t\d/, firstPlan)
  })

  it('is asked for a period by the ids that are of it, whichever clock they have', async () => {
    const data = new TenantData(scene.tenant.id, opened.executor)
    const period = { since: shownAt(first), until: shownAt(first + 30) }
    const [sinceMs, untilMs] = [Date.parse(period.since), Date.parse(period.until)]
    const ids = await idsOfPeriod(data, { sinceMs, untilMs }, deliveryFrom)
    const found = await listed(period)
    assert.deepEqual([found.rows.length, found.rows.at(-1)?.createdAt], [30, period.since])
    const [from, to] = [ids.from ?? '', ids.to ?? '']
    assert.ok(from > firstIdAt(at(first - 180)) && from <= firstIdAt(at(first)), from)
    assert.ok(to < firstIdAt(at(first + 30 + 180)) && to >= firstIdAt(at(first + 30)), to)
    const plan = found.plans.at(-1)?.text ?? ''
    assert.match(
      plan,
      database === 'sqlite' ? /PRIMARY KEY \(tenant_id=\? AND id>\? AND id<\?\)/ : /delivery_pkey/,
    )
  })

  it('is filtered and counted by GraphQL as by the list', async () => {
    const { admin } = scene.tenant
    const query = `query ($since: DateTime, $until: DateTime) {
      period: webhookDeliveries(first: 50, where: { createdAt: { gte: $since, lt: $until } }) { nodes { createdAt } }
      undelivered: webhookDeliveries(where: { status: { in: [DEAD, KEPT] } }) { totalCount }
      waiting: webhookDeliveries(where: { and: [{ status: { eq: PENDING } }] }) { totalCount }
      sending: webhookDeliveries(where: { status: { eq: SENDING } }) { totalCount nodes { status nextAttemptAt } }
    }`
    const variables = { since: shownAt(first), until: shownAt(first + 30) }
    const { data } = (await admin.post('/graphql', { query, variables })).body
    assert.deepEqual([data.period.nodes.length, data.period.nodes.at(-1).createdAt], [30, variables.since])
    const counts = [data.undelivered, data.waiting, data.sending].map(({ totalCount }) => totalCount)
    assert.deepEqual(counts, [40, 20, 20])
    assert.deepEqual(data.sending.nodes[0], { status: 'SENDING', nextAttemptAt: null })
    const found = await listed({ 'status[in]': 'DEAD,KEPT', limit: 10 })
    assert.match(planOf(found), /\bdelivery_undelivered_of_tenant\b/)
    assert.equal(found.rows.length, 10)
  })

  it('is counted by indexes', async () => {
    const asked: string[] = []
    const found = await countOfTenant(new TenantData(scene.tenant.id, recordPlans(opened.executor, asked)))
    assert.deepEqual(found, { waiting: 40, undispatched: 0, dead: 0 })
    const plan = asked.join('\n')
    for (const index of ['delivery_queue', 'event_undispatched', 'delivery_undelivered_of_tenant'])
      assert.ok(plan.includes(index), plan)
  })

  it('is not read to find what is new', async () => {
    const asked: string[] = []
    const queue = new QueueData(recordPlans(opened.executor, asked))
    assert.deepEqual(await claimNewEvents(queue, [scene.tenant.id], 50), [])
    assert.match(asked.join('\n'), /event_undispatched/)
  })

  it('is not read by those who follow the events', async () => {
    const asked: string[] = []
    const data = new TenantData(scene.tenant.id, recordPlans(opened.executor, asked))
    const { events } = await eventsAfter(data, await currentCursor(data), 100)
    assert.deepEqual(events, [])
    assert.match(asked.join('\n'), /event_position/)
  })

  it('is looked through for what an old event has led to by an index', async () => {
    const asked: string[] = []
    const queue = new QueueData(recordPlans(opened.executor, asked))
    const range = { tenantId: scene.tenant.id, after: 'e', upTo: 'e:' }
    assert.deepEqual(await finishedEvents(queue, range), [])
    const index = database === 'sqlite' ? 'INDEX sqlite_autoindex_delivery_2' : 'delivery_once'
    assert.match(asked.join('\n'), new RegExp(index))
  })
})

async function insertDeliveriesOf(database: Database, tenantId: string): Promise<void> {
  const rows = Array.from({ length }, (_, index) => deliveryRow(tenantId, index))
  const { dialect } = database
  for (let from = 0; from < length; from += 10_000) {
    const given = JSON.stringify(rows.slice(from, from + 10_000))
    await database.transaction(async (transaction) => {
      await transaction.run(insertEvents[dialect], [tenantId, given], false)
      await transaction.run(insertDeliveries[dialect], [tenantId, given], false)
    })
  }
}

/** One a second; here and there one that is dead, kept, waits, is being sent, or is of a rare type. */
function deliveryRow(tenantId: string, index: number) {
  const usual = {
    id: firstIdAt(at(index)),
    subscription_id: usualSubscriptionId,
    event_id: `e${index}`,
    event_type: 'usual.thing',
    status: 'SUCCEEDED',
    queue: null,
    next_at: null,
    lease: null,
    created_at: shownAt(index),
  }
  // In a hundred years, so that nobody sends them.
  const waiting = { queue: `${tenantId}/${subscriptionId}/first`, next_at: '2126-01-01T00:00:00.000Z' }
  const special = [
    { status: 'DEAD' },
    { status: 'KEPT' },
    { status: 'PENDING', ...waiting },
    { status: 'PENDING', ...waiting, lease: 'somebody’s' },
    { event_type: 'rare.thing' },
  ][index % (length / 20)]
  return special === undefined ? usual : { ...usual, subscription_id: subscriptionId, ...special }
}

const columns =
  'tenant_id, id, subscription_id, event_id, event_type, kind, copy, status, attempts, attempts_before'

const insertEvents: Record<DatabaseName, string> = {
  sqlite: `INSERT INTO event (tenant_id, id, type, data, created_at, dispatched_at)
    SELECT ?, value ->> 'event_id', 'x', '{}', '2027', '2027' FROM json_each(?)`,
  postgres: `INSERT INTO event (tenant_id, id, type, data, created_at, dispatched_at)
    SELECT $1, event_id, 'x', '{}', now(), now() FROM json_to_recordset($2) AS given (event_id text)`,
}

const insertDeliveries: Record<DatabaseName, string> = {
  sqlite: `INSERT INTO delivery (${columns}, queue, next_at, lease, created_at)
    SELECT ?, value ->> 'id', value ->> 'subscription_id', value ->> 'event_id', value ->> 'event_type', 'EVENT', '', value ->> 'status', 1, 0,
      value ->> 'queue', value ->> 'next_at', value ->> 'lease', value ->> 'created_at' FROM json_each(?)`,
  postgres: `INSERT INTO delivery (${columns}, queue, next_at, lease, created_at)
    SELECT $1, id, subscription_id, event_id, event_type, 'EVENT', '', status, 1, 0, queue, next_at, lease, created_at
    FROM json_to_recordset($2) AS given (id uuid, subscription_id uuid, event_id text, event_type text, status text, queue text,
      next_at timestamptz, lease text, created_at timestamptz)`,
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
