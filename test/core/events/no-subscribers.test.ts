/** An event without subscribers costs the transaction of its change, and nothing afterwards. */
import assert from 'node:assert/strict'
import { fstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, it } from 'node:test'
import type { Database } from '../../../src/database/executor.ts'
import type { Client } from '../../support/client.ts'
import { inspect } from '../../support/database/inspect.ts'
import { diskSync, replaceSync } from '../../support/database/replace-sync.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { newProduct } from '../../support/orders.ts'
import { type TestTenant, uniqueName } from '../../support/service.ts'
import {
  deliveries,
  publish,
  type Scene,
  setScene,
  subscribe,
} from '../../support/webhooks/delivery-scene.ts'

const changes = 4

onEachDatabase('An event that nobody wants', (database) => {
  let scene: Scene
  let file: string
  let shared: TestTenant
  let own: TestTenant
  before(async () => {
    scene = await setScene(database)
    shared = await scene.service.newTenant()
    file = `${uniqueName('own')}.db`
    own = await scene.service.newTenant({ connectionString: `sqlite:${file}` })
  })
  after(() => scene[Symbol.asyncDispose]())
  afterEach(() => replaceSync(diskSync))

  for (const [about, events] of [
    ['without a subscription', null],
    ['with a subscription to other events', ['order.*', 'product.deleted']],
  ] as const) {
    it(`costs no second transaction ${about}`, async () => {
      for (const { id, user } of [shared, own]) {
        if (events !== null) await scene.subscribe(await scene.receiver(), { events }, user)
        await settle(user)
        const seen = await countTransactions(id)
        const syncs = countSyncs(scene.service.dataDir)
        for (let count = 0; count < changes; count++) await newProduct(user)
        await scene.look()
        const reports = seen().filter(isReport).length
        const others = seen().filter((sql) => !isReport(sql))
        assert.equal(others.length, changes, others.join('\n'))
        if (database === 'sqlite') assertBetween(syncs(), changes, changes + reports)
      }
    })
  }

  if (database === 'sqlite') {
    it('is written once, as the row that changed is', async () => {
      const { user, id } = own
      const rows = await countRows(id)
      await newProduct(user)
      assert.equal(rows(), 2)
    })
  }

  it('is dispatched all the same when it waits from before', async () => {
    const { user, id } = await scene.service.newTenant()
    await newProduct(user)
    const where = `tenant_id = '${id}' AND dispatched_at IS NULL`
    const { databaseUrl } = scene.service.config
    const waiting = async () => (await inspect(databaseUrl, `SELECT id FROM event WHERE ${where}`)).length
    assert.equal(await waiting(), 0)
    await inspect(databaseUrl, `UPDATE event SET dispatched_at = NULL WHERE tenant_id = '${id}'`)
    assert.ok((await waiting()) > 0)
    await scene.look()
    assert.deepEqual([await waiting(), await deliveries(user)], [0, []])
  })

  /** What the making of a tenant has left to be done is done. */
  async function settle(user: Client): Promise<void> {
    await newProduct(user)
    await scene.look()
  }

  /** @returns the statements of each that there was since in the database of the tenant */
  async function countTransactions(tenantId: string): Promise<() => string[]> {
    return watch(await databaseOf(tenantId))
  }

  /** @returns the number of rows that were written since in the database of the tenant */
  async function countRows(tenantId: string): Promise<() => number> {
    const opened = await databaseOf(tenantId)
    const earlier = opened.countChanges?.() ?? 0
    return () => (opened.countChanges?.() ?? 0) - earlier
  }

  async function databaseOf(tenantId: string): Promise<Database> {
    const { shared: parts } = await scene.service.service.operator()
    const tenant = (await scene.service.host.get(`/api/tenants/${tenantId}`)).body
    const hasOwnDatabase = tenantId === own.id
    const lease = await parts.tenantDatabases.lease({ ...tenant, hasOwnDatabase })
    lease.release()
    return lease.database
  }
})

function assertBetween(value: number, least: number, most: number): void {
  assert.ok(value >= least && value <= most, `${value}`)
}

/** The service reports itself at its start and at intervals. */
function isReport(sql: string): boolean {
  return /^insert into "?instance"?/i.test(sql)
}

const long = Array.from({ length: 40 }, (_, index) => `some.name-${index}`)
/** Of a subscription; types that wait and are delivered; types that wait because they look alike; the others. */
const lists: [events: string[], named: string[], alike: string[], others: string[]][] = [
  [['*'], ['a.b', 'order.shipped', 'a.b.c.d'], [], []],
  [
    ['order.*'],
    ['order.shipped', 'order.item.added'],
    [],
    ['orders.paid', 'order_.x', 'Order.mended', 'x.order.y'],
  ],
  [['a.b'], ['a.b'], ['a.b.c'], ['a.c', 'A.b', 'a_b.x', 'b.a.b', 'a.bc']],
  [
    ['a.b.*', 'c.d'],
    ['a.b.c', 'a.b.c.d', 'c.d'],
    ['a.c.b', 'c.d.e'],
    ['a.b', 'a.bc', 'b.a.b', 'ca.d.e'],
  ],
  [['a_b.*', 'a-b.c'], ['a_b.c', 'a-b.c'], [], ['axb.c', 'a-b.d']],
  [long, ['some.name-7'], ['some.other'], []],
]

onEachDatabase('An event waits for the dispatcher', (database) => {
  let scene: Scene
  before(async () => {
    scene = await setScene(database)
  })
  after(() => scene[Symbol.asyncDispose]())

  it('and is delivered to those who name it', async () => {
    for (const [events, named, alike, others] of lists) {
      const receiver = await scene.receiver()
      const id = await scene.subscribe(receiver, { events })
      for (const type of [...named, ...alike, ...others]) await scene.publish(type)
      await scene.look()
      const told = receiver.requests.map(({ body }) => JSON.parse(body).type)
      assert.deepEqual(told.toSorted(), named.toSorted(), events.join())
      await scene.user.delete(`/api/webhooks/subscriptions/${id}`)
    }
  })

  // The last case: nothing is dispatched any more.
  it('when a subscription names it, its noun, everything, or something alike', async () => {
    const { user, service } = scene
    await service.service.queueWorkers.stop()
    for (const [events, named, alike, others] of lists) {
      const id = await subscribe(user, { url: 'https://example.com' }, { events })
      const published = new Map<string, string>()
      for (const type of [...named, ...alike, ...others]) published.set(await publish(user, type), type)
      const text = 'SELECT id FROM event WHERE dispatched_at IS NULL ORDER BY id'
      const rows = await inspect(service.config.databaseUrl, text)
      const found = rows.flatMap((row) => published.get(String(row['id'])) ?? [])
      assert.deepEqual(found, [...named, ...alike], events.join())
      await user.delete(`/api/webhooks/subscriptions/${id}`)
    }
  })
})

/** @returns the statements of each transaction since; those that only tell other instances do not count */
function watch(database: Database): () => string[] {
  const seen: string[][] = []
  const { transaction } = database
  database.transaction = (work, options) => {
    const counted: typeof work = (inside) => {
      const statements: string[] = []
      seen.push(statements)
      const { announce, defer, run } = inside
      inside.announce = (change) => {
        seen.splice(seen.indexOf(statements), 1)
        return announce.call(inside, change)
      }
      inside.run = (...statement) => {
        statements.push(statement[0])
        return run.apply(inside, statement)
      }
      if (defer !== undefined)
        inside.defer = (...statement) => {
          statements.push(statement[0])
          defer.apply(inside, statement)
        }
      return work(inside)
    }
    return transaction.call(database, counted, options) as ReturnType<typeof work>
  }
  return () => seen.map((statements) => statements.join('; '))
}

/** Of files of the folder: other services of this process have theirs. */
function countSyncs(folder: string): () => number {
  let number = 0
  replaceSync((descriptor, done) => {
    const { ino } = fstatSync(descriptor)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    if (files.some((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.ino === ino)) number++
    diskSync(descriptor, done)
  })
  return () => number
}
