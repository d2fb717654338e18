/**
 * A service on a PostgreSQL that learns nothing of its tables, whose connections keep the plans that they made when
 * there was hardly anything in them; and how many pages each statement touches once there is much.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { currentCursor, eventsAfter } from '../../../src/core/events/feed.ts'
import { QueueData, TenantData } from '../../../src/database/data.ts'
import type { Database } from '../../../src/database/executor.ts'
import { countOfAll, countOfTenant } from '../../../src/webhooks/outgoing/metrics/sql.ts'
import { removeFinished } from '../../../src/webhooks/outgoing/retention/retention.ts'
import { TestClock } from '../../support/clock.ts'
import { inspect } from '../../support/database/inspect.ts'
import { startPostgres } from '../../support/database/postgres-server.ts'
import { newProduct, orderOf, type Product } from '../../support/orders.ts'
import { answering, publish, type Scene, setScene } from '../../support/webhooks/delivery-scene.ts'
import { addRule, send, setProvider } from '../../support/webhooks/provider.ts'

/** What the statistics tell: nothing at all, of empty tables, or of many tenants with one waiting event each. */
export type Statistics = 'none' | 'of nothing' | 'of a backlog'

/** What a statement has touched since the count began. */
export interface Touched {
  sql: string
  calls: number
  rows: number
  /** Pages of 8 KiB; a lookup by an index takes about four. */
  pages: number
}

/** `fsync` is not what is measured; the server also counts what it runs to hold foreign keys. */
const settings = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track=all',
  'autovacuum=off',
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'max_wal_size=20GB',
  'shared_buffers=512MB',
]

export interface CountingServer extends AsyncDisposable {
  /**
   * In a database of its own; one at a time.
   * @param rows of the past, beside which a few events are published, delivered, tried again, followed and received
   * @returns what that touches, the most first
   */
  touchedBeside(rows: number, statistics: Statistics): Promise<Touched[]>
}

export async function startCountingServer(): Promise<CountingServer> {
  const server = await startPostgres(settings)
  let databases = 0
  return {
    touchedBeside: async (rows, statistics) => {
      const url = new URL(server.url)
      url.pathname = `/counted_${++databases}`
      await inspect(server.url, `CREATE DATABASE counted_${databases}`)
      return touchedIn(url.href, rows, statistics)
    },
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

async function touchedIn(url: string, rows: number, statistics: Statistics): Promise<Touched[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const clock = new TestClock()
    const environment = { DATABASE_URL: url, DATABASE_CONNECTIONS: '2' }
    await using scene = await setScene('sqlite', environment, { clock: clock.now })
    await client.query('CREATE EXTENSION pg_stat_statements')
    const product = await prepare(scene)
    await analyze(client, statistics)
    // The sixth run of a statement makes the plan that stays, on each of the connections.
    for (let round = 0; round < 8; round++) await live(scene, clock, product)
    await keepingConnections(await databaseOf(scene), insertPast(url, scene.tenant.id, rows))
    await client.query('SELECT pg_stat_statements_reset()')
    for (let round = 0; round < 3; round++) await live(scene, clock, product)
    if (rows <= mostRemoved) await removeFinished(await databaseOf(scene), tenDaysAgo())
    return (await client.query(counted)).rows
  } finally {
    await client.end()
  }
}

/**
 * A statement may touch 40 pages, and 25 more for each row that it finds or changes.
 * @param fewest statements of the service that were counted
 */
export function assertLookedUp(touched: readonly Touched[], fewest: number): void {
  const isOfTheService = ({ sql }: Touched) => /"delivery"|"event"/.test(sql)
  assert.ok(touched.filter(isOfTheService).length > fewest, 'statements were counted')
  for (const { sql, calls, rows, pages } of touched) {
    if (sql === 'ANALYZE "delivery"') continue // samples the table once, whatever its size
    const most = 40 + 25 * (rows / calls)
    assert.ok(pages <= most, `${Math.round(pages)} pages for ${rows / calls} rows: ${sql}`)
  }
}

/** Removing more rows takes too long for a test. */
const mostRemoved = 20_000

async function prepare(scene: Scene): Promise<Product> {
  const { user } = scene
  for (const receiver of [await scene.receiver(), await scene.receiver(answering(500))])
    await scene.subscribe(receiver, { events: ['*'], retrySeconds: [1, 3600] })
  await setProvider(scene.tenant.admin)
  await addRule(user, 'order.pay')
  return newProduct(user)
}

/** Each kind of work of a service for a tenant, once. */
async function live(scene: Scene, clock: TestClock, product: Product): Promise<void> {
  const { user, tenant, service } = scene
  const database = await databaseOf(scene)
  const data = new TenantData(tenant.id, database.executor)
  const mark = await currentCursor(data)
  await publish(user)
  const order = await user.post('/api/orders', orderOf([[product, 2]]), { 'idempotency-key': randomUUID() })
  assert.equal(order.status, 201, order.text)
  await scene.look()
  clock.advance({ seconds: 2 })
  await scene.look()
  const paid = { id: randomUUID(), type: 'paid', data: { orderId: order.body.id } }
  assert.equal((await send(service, tenant, paid)).status, 200)
  await scene.look()
  assert.ok((await eventsAfter(data, mark, 100)).events.length >= 3)
  assert.equal((await tenant.admin.get('/api/webhooks/deliveries?status=PENDING')).status, 200)
  await countOfTenant(data)
  await countOfAll(new QueueData(database.executor))
  await delay(20)
}

async function databaseOf({ service }: Scene): Promise<Database> {
  return (await service.service.operator()).shared.catalogueDatabase
}

async function analyze(client: pg.Client, statistics: Statistics): Promise<void> {
  if (statistics === 'none') return
  if (statistics === 'of a backlog') for (const text of backlog) await client.query(text)
  await client.query('ANALYZE')
  for (const table of ['delivery', 'event'])
    await client.query(`DELETE FROM ${table} WHERE tenant_id LIKE 'lonely-%'`)
}

/** Uses both connections all the time: one that is idle for half a minute is closed, with its plans. */
async function keepingConnections(database: Database, work: Promise<void>): Promise<void> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  const executors = [database.executor, database.executorFor('somebody')]
  while (!isDone) {
    await Promise.all(executors.map((executor) => executor.run('SELECT pg_sleep(0.2)', [], false)))
    await Promise.race([done, delay(2000)])
  }
  await done
}

/** Two at a time, and without a look at the foreign keys of each row. */
async function insertPast(url: string, tenantId: string, rows: number): Promise<void> {
  const waiting = past.map((text) =>
    text.replaceAll(':tenant', `'${tenantId}'`).replaceAll(':rows', `${rows}`),
  )
  const insertAll = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: url, options: '-c session_replication_role=replica' })
    await client.connect()
    for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) await client.query(text)
    await client.end()
  }
  await Promise.all([insertAll(), insertAll()])
}

function tenDaysAgo(): Date {
  return new Date(Date.now() - 10 * 24 * 60 * 60 * 1000)
}

const counted = `SELECT query AS sql, cast(calls AS int) AS calls, cast(rows AS int) AS rows,
    (shared_blks_hit + shared_blks_read) / cast(calls AS float) AS pages
  FROM pg_stat_statements WHERE query !~ 'pg_stat_statements' ORDER BY pages DESC`

const longAgo = "now() - interval '20 days'"
const each = 'FROM generate_series(1, :rows) AS g'
const eventId = "'evt_' || lpad(cast(g AS text), 26, '0')"
const uuid = "cast('0190000' || lpad(to_hex(g), 8, '0') || '70008000000000000' AS uuid)"

const backlog = [
  `INSERT INTO event (tenant_id, id, type, data, created_at)
    SELECT 'lonely-' || g, ${eventId}, 'thing.happened', '{}', now() FROM generate_series(1, 150) AS g`,
  `INSERT INTO delivery (tenant_id, id, subscription_id, event_id, event_type, kind, copy, status, attempts,
      attempts_before, queue, next_at, created_at)
    SELECT 'lonely-' || g, ${uuid}, ${uuid}, ${eventId}, 'thing.happened', 'EVENT', '', 'PENDING', 0,
      0, 'lonely-' || g, '2126-01-01', now() FROM generate_series(1, 150) AS g`,
]

const past = [
  `INSERT INTO event (tenant_id, id, type, data, created_at, dispatched_at)
    SELECT :tenant, ${eventId}, 'thing.happened', '{"text":"' || repeat('x', 100) || '"}', ${longAgo}, ${longAgo} ${each}`,
  `INSERT INTO delivery (tenant_id, id, subscription_id, event_id, event_type, kind, copy, status, attempts,
      attempts_before, created_at, finished_at)
    SELECT :tenant, ${uuid}, ${uuid}, ${eventId}, 'thing.happened', 'EVENT', '', 'SUCCEEDED', 1,
      0, ${longAgo}, ${longAgo} ${each}`,
  `INSERT INTO attempt (tenant_id, delivery_id, id, number, started_at, duration_ms, outcome, request_headers,
      response_headers, response_excerpt)
    SELECT :tenant, ${uuid}, ${uuid}, 1, ${longAgo}, 1, 'success', '{}', '{}', '' ${each}`,
  `INSERT INTO sales_order (tenant_id, id, number, customer_id, status, total, created_at, updated_at, version)
    SELECT :tenant, ${uuid}, 1000000 + g, 'customer-7', 'PAID', 1, ${longAgo}, ${longAgo}, 1 ${each}`,
  `INSERT INTO sales_order_item (tenant_id, order_id, position, product_id, name, quantity, unit_price, line_total)
    SELECT :tenant, ${uuid}, 0, ${uuid}, 'Desk', 1, 1, 1 ${each}`,
  `INSERT INTO idempotency (tenant_id, key, fingerprint, outcome, created_at)
    SELECT :tenant, md5(cast(g AS text)), '', '', now() ${each}`,
  `INSERT INTO webhook_receipt (tenant_id, id, provider, event_key, event_id, event_type, status, hops, scheme,
      secret_place, headers, body, received_at)
    SELECT :tenant, ${uuid}, 'stripe', md5(cast(g AS text)), '', 'paid', 'PROCESSED', 0, 'stripe',
      0, '{}', '', ${longAgo} ${each}`,
  `INSERT INTO webhook_run (tenant_id, receipt_id, id, rule_id, action, status, attempts, created_at, finished_at)
    SELECT :tenant, ${uuid}, ${uuid}, ${uuid}, 'order.pay', 'SUCCEEDED', 1, ${longAgo}, ${longAgo} ${each}`,
  // As a row of FROM: `(function()).*` would call it once for each column. They are larger than other rows.
  `INSERT INTO subscription SELECT made.*
    FROM generate_series(1, :rows / 4) AS g, (SELECT * FROM subscription WHERE tenant_id = :tenant LIMIT 1) AS usual,
      jsonb_populate_record(cast(null AS subscription),
        to_jsonb(usual) || jsonb_build_object('tenant_id', 'other-' || g)) AS made`,
]
