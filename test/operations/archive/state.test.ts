/** An archive contains one state of the tenant, all of it, and the same after a round trip. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { readManifest } from '../../../src/operations/archive/manifest.ts'
import { installationTables } from '../../../src/operations/archive/table.ts'
import { type Cells, inspect } from '../../support/database/inspect.ts'
import { type DatabaseName, onEachDatabase } from '../../support/databases.ts'
import { triesAll } from '../../support/run/extent.ts'
import { uniqueName } from '../../support/service.ts'
import { newVictim, type Victim } from '../../support/victim.ts'
import { ArchiveScene, type Place } from './installations.ts'

/** What grows by the import itself; what is sealed, which is never sealed alike; and what tells of the way. */
const kept = ['event', 'audit', 'delivery', 'subscription', 'webhook_provider', 'idempotency']
const differs = new Set([...kept, 'idempotency_former_key'])

onEachDatabase('An archive from', (database) => {
  it('has every table with rows of tenants, but those that it is said not to have', async () => {
    await using scene = new ArchiveScene()
    const service = await scene.sharedInstallation(database)
    const { id } = await service.newTenant()
    const archive = await scene.export(service, id)
    const there = (await tablesWithTenants(service.config.databaseUrl)).filter(
      (name) => !installationTables.has(name),
    )
    assert.ok(there.length > 15)
    const { tables } = readManifest(archive)
    assert.deepEqual(tables.map(({ table }) => table).toSorted(), there)
    for (const name of installationTables) {
      const rows = await inspect(`sqlite:${archive}`, `SELECT * FROM "${name}"`)
      assert.deepEqual(rows, [], name)
    }
    const others = [
      'refresh_token',
      'rate_limit',
      'signing_key',
      'digest_key',
      'tenant_move',
      'move_arrival',
      'move_log',
    ]
    for (const name of others)
      assert.deepEqual(await inspect(`sqlite:${archive}`, `SELECT * FROM ${name}`), [], name)
    const tenants = await inspect(`sqlite:${archive}`, 'SELECT id, connection_string FROM tenant')
    assert.deepEqual(
      tenants.map((row) => ({ ...row })),
      [{ id, connection_string: null }],
    )
  })

  for (const place of placesOf(database))
    it(`is of one moment, though the tenant is written to all the while, rows ${place}`, async () => {
      await using scene = new ArchiveScene()
      const service = await scene.sharedInstallation(database)
      const connection = await scene.connection(place)
      const tenant = await newVictim(service, connection === null ? {} : { connectionString: connection })
      const writers = startWriters(tenant)
      await writers.written(8)
      const archive = await scene.export(service, tenant.id, { reached: () => writers.written(5) })
      await writers.written(2)
      await writers.stop()
      const rows = (sql: string): Promise<Cells[]> => inspect(`sqlite:${archive}`, sql)
      const sums = `SELECT o.id FROM sales_order o WHERE total <>
        (SELECT coalesce(sum(line_total), 0) FROM sales_order_item i WHERE i.order_id = o.id)`
      assert.deepEqual(await rows(sums), [])
      const [count] =
        await rows(`SELECT count(*) AS n, max(number) AS most, (SELECT last FROM order_count) AS last,
        (SELECT count(*) FROM event WHERE type = 'order.created') AS events FROM sales_order`)
      const n = Number(count?.['n'])
      assert.deepEqual({ ...count }, { n, most: n, last: n, events: n })
      assert.ok(n > 8 && n < writers.orders(), `${n} of ${writers.orders()}`)
    })

  it('is the same after it was imported and exported again', async () => {
    await using scene = new ArchiveScene()
    const first = await scene.sharedInstallation(database)
    const other = database === 'sqlite' ? 'postgres' : 'sqlite'
    const second = await scene.installation(other, first)
    const tenant = await newVictim(first)
    const one = await scene.export(first, tenant.id)
    await scene.import(second, one)
    const two = await scene.export(second, tenant.id)
    const digests = (archive: string) =>
      readManifest(archive).tables.filter(
        ({ table }) => !differs.has(table) && table !== 'idempotency_former_key',
      )
    assert.deepEqual(digests(two), digests(one))
    for (const table of ['event', 'audit', 'delivery', 'subscription', 'webhook_provider'])
      await isKept(one, two, table)
  })
})

/** A file of its own is the same beside either catalogue. */
function placesOf(database: DatabaseName): Place[] {
  return triesAll || database === 'sqlite' ? ['shared', 'sqlite'] : ['shared']
}

/** Every row of the first is in the second; what is sealed is not compared, nor what one database alone understands. */
async function isKept(one: string, two: string, table: string): Promise<void> {
  const left = new Set(['position', 'secrets', 'headers', 'outcome', 'dispatched_at'])
  const texts = async (archive: string): Promise<string[]> => {
    const rows = await inspect(`sqlite:${archive}`, `SELECT * FROM ${table}`)
    return rows.map((row) => JSON.stringify(Object.entries(row).filter(([name]) => !left.has(name))))
  }
  const there = new Set(await texts(two))
  for (const text of await texts(one)) assert.ok(there.has(text), `${table}: ${text}`)
}

/** In the order of their names. */
async function tablesWithTenants(url: string): Promise<string[]> {
  const sql = url.startsWith('sqlite:')
    ? `SELECT m.name FROM sqlite_schema m, pragma_table_info(m.name) c
       WHERE m.type = 'table' AND c.name = 'tenant_id' ORDER BY m.name`
    : `SELECT table_name AS name FROM information_schema.columns
       WHERE column_name = 'tenant_id' AND table_schema = 'public' ORDER BY table_name COLLATE "C"`
  return (await inspect(url, sql)).map(({ name }) => String(name))
}

/** Two that place orders of two items, until they are stopped. */
function startWriters({ user, names }: Victim) {
  let placed = 1 // the tenant came with one
  let isStopped = false
  const write = async (): Promise<void> => {
    while (!isStopped) {
      const product = await user.post('/api/products', { name: uniqueName('p'), price: 1.5 })
      const items = [names.product, product.body.id].map((productId) => ({ productId, quantity: 2 }))
      const order = await user.post('/api/orders', { customerId: 'c', items })
      assert.equal(order.status, 201, order.text)
      placed++
    }
  }
  const running = Promise.all([write(), write()])
  return {
    orders: () => placed,
    written: async (more: number): Promise<void> => {
      const until = placed + more
      while (placed < until) await nextTurn()
    },
    stop: async (): Promise<void> => {
      isStopped = true
      await running
    },
  }
}
