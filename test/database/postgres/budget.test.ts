/** Many databases within one bound on connections. All are one database of the server here. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Database, DatabaseUnavailable, StatementTimedOut } from '../../../src/database/executor.ts'
import { ConnectionBudget } from '../../../src/database/postgres/budget.ts'
import type { TenantBudget } from '../../../src/database/postgres/connection-pool.ts'
import { openPostgres } from '../../../src/database/postgres/postgres-database.ts'
import { inspect } from '../../support/database/inspect.ts'
import { inspector } from '../../support/database/query-server.ts'
import { createPostgresDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'

describe('Within one bound on connections', () => {
  let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>
  before(async () => {
    postgres = await createPostgresDatabase()
  })
  after(() => postgres.drop())

  it('twelve databases are used by many at once, with never more connections than six', async () => {
    await using scene = open({ databases: 12, maxConnections: 6 })
    await using watch = await watchConnections(postgres.url)
    const work = async (database: Database): Promise<void> => {
      for (let round = 0; round < 2; round++) {
        const { rows } = await database.executor.run('SELECT 1 AS one', [], true)
        assert.equal(rows[0]?.['one'], 1)
        await database.transaction((inside) => inside.run('SELECT pg_sleep(0.005)', [], false))
        await assert.rejects(database.executor.run('SELECT 1 / 0', [], false))
      }
    }
    await Promise.all(scene.databases.flatMap((database) => [work(database), work(database)]))
    assert.ok(watch.most > 3 && watch.most <= 6, `${watch.most} connections`)
    assert.deepEqual([scene.budget.waiting, scene.budget.open], [0, scene.budget.idle])
  })

  it('an idle connection stays while there is room, and goes when another database needs one', async () => {
    await using scene = open({ databases: 3, maxConnections: 2 })
    const pids: unknown[] = []
    for (const database of scene.databases) pids.push(await pidTwice(database))
    const [, , third] = scene.databases
    assert.ok(third)
    assert.equal(await pidTwice(third), pids[2])
    assert.equal(new Set(pids).size, 3)
    assert.equal(scene.budget.open, 2)
  })

  it('the one that was used least recently goes', async () => {
    await using scene = open({ databases: 3, maxConnections: 2 })
    const [a, b, c] = scene.databases
    assert.ok(a && b && c)
    const [ofA] = [await pid(a), await pid(b)]
    assert.equal(await pid(a), ofA)
    await pid(c)
    assert.equal(await pid(a), ofA)
  })

  it('a database whose statements hang has half of the connections at most, and the others go on', async () => {
    await using scene = open({ databases: 5, maxConnections: 4, statementTimeoutMs: 2000, waitMs: 10_000 })
    const [hanging, ...others] = scene.databases
    let ended = 0
    const sleeps = Array.from({ length: 4 }, async () => {
      await assert.rejects(
        async () => hanging?.executor.run('SELECT pg_sleep(60)', [], false),
        StatementTimedOut,
      )
      ended++
    })
    await eventually('the statements', soonMs, async () => scene.budget.open - scene.budget.idle === 2)
    for (const database of others) for (let count = 0; count < 5; count++) await pid(database)
    assert.equal(ended, 0)
    assert.equal(scene.budget.open - scene.budget.idle, 2)
    await Promise.all(sleeps)
    await scene.databases[0]?.executor.run('SELECT 1', [], false)
  })

  it('who waits for too long is refused, and everybody is served when there is room again', async () => {
    await using scene = open({ databases: 4, maxConnections: 2, waitMs: 1000 })
    const [a, b, c, d] = scene.databases
    assert.ok(a && b && c && d)
    const done = Promise.withResolvers<void>()
    const busy = [a, b].map((database) => database.transaction(() => done.promise))
    await eventually('both', soonMs, async () => scene.budget.open - scene.budget.idle === 2)
    const refused = [pid(c), pid(d), c.transaction(async () => undefined)]
    await Promise.all(refused.map((each) => assert.rejects(each, DatabaseUnavailable)))
    done.resolve()
    await Promise.all(busy)
    for (const each of [c, d, a, b])
      await eventually('a connection for each', soonMs, () => pid(each).then(() => true, isUnavailable))
  })

  it('one more who waits costs a step for each database and each waiter, and not for each pair', async () => {
    const count = 100
    const budget = new ConnectionBudget<object>({ maxConnections: count, waitMs: 60_000 })
    let steps = 0
    const free: object[] = []
    const pools = Array.from({ length: count }, () => ({
      maxConnections: 10,
      get idleCount() {
        steps++
        return free.length
      },
      takeIdle: () => free.pop() ?? {},
      closeIdle: () => assert.fail('no connection is idle'),
    }))
    const taken = Array.from({ length: 4 }, () => pools.map((pool) => budget.take(pool))).flat()
    assert.equal(budget.waiting, 3 * count)
    steps = 0
    taken.push(...pools.slice(0, 1).map((pool) => budget.take(pool)))
    assert.ok(steps < 20 * count, `${steps} steps`)
    for (const pool of pools) {
      while (budget.waiting > 0) {
        free.push({})
        budget.released(pool)
      }
    }
    await Promise.all(taken)
  })

  it('connections that the server ends, or cannot give, are given back', async () => {
    await using scene = open({ databases: 2, maxConnections: 2 })
    await using nowhere = open(
      { databases: 1, maxConnections: 2, url: 'postgres://u:p@127.0.0.1:1/x' },
      scene.budget,
    )
    for (let count = 0; count < 4; count++)
      await assert.rejects(pid(...nowhere.databases), DatabaseUnavailable)
    await Promise.all(scene.databases.map(pid))
    assert.equal(scene.budget.open, 2)
    const others = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()'
    await inspect(postgres.url, `${others} AND datname = current_database()`)
    await eventually('their end', soonMs, async () => scene.budget.open === 0)
    await Promise.all(scene.databases.map(pid))
  })

  it('a database that is closed leaves its connections to the others', async () => {
    await using scene = open({ databases: 2, maxConnections: 2 })
    const [first, second] = scene.databases
    assert.ok(first && second)
    await Promise.all([pid(first), pid(second)])
    await first.close()
    assert.equal(scene.budget.open, 1)
    await Promise.all([pid(second), pid(second)])
    await assert.rejects(pid(first), DatabaseUnavailable)
    assert.equal(scene.budget.open, 1)
  })

  interface Wanted {
    databases: number
    maxConnections: number
    waitMs?: number
    statementTimeoutMs?: number
    url?: string
  }

  function open(wanted: Wanted, within?: TenantBudget) {
    const { maxConnections, waitMs = 10_000, statementTimeoutMs = 30_000, url = postgres.url } = wanted
    const budget: TenantBudget = within ?? new ConnectionBudget({ maxConnections, waitMs })
    const options = { maxConnections: 10, connectTimeoutMs: 5000, statementTimeoutMs, budget }
    const databases = Array.from({ length: wanted.databases }, () => openPostgres(url, options))
    const close = async (): Promise<void> => {
      await Promise.all(databases.map((database) => database.close()))
      assert.equal(within === undefined ? budget.open : 0, 0)
    }
    return { budget, databases, [Symbol.asyncDispose]: close }
  }
})

async function pid(database?: Database): Promise<unknown> {
  const rows = await database?.executor.run('SELECT pg_backend_pid() AS pid', [], true)
  return rows?.rows[0]?.['pid']
}

/** @returns `false`: to open a connection may take as long as a wait may, on a busy machine */
function isUnavailable(error: unknown): false {
  assert.ok(error instanceof DatabaseUnavailable)
  return false
}

async function pidTwice(database: Database): Promise<unknown> {
  await pid(database)
  return pid(database)
}

/** Counts as the server does. */
async function watchConnections(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const watch = { most: 0, stopped: false }
  const sql = `SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND application_name <> '${inspector}' AND pid <> pg_backend_pid()`
  const looking = (async () => {
    while (!watch.stopped) {
      const { rows } = await client.query(sql)
      watch.most = Math.max(watch.most, Number(rows[0]?.count))
      await delay(2)
    }
  })()
  return {
    get most() {
      return watch.most
    },
    [Symbol.asyncDispose]: async () => {
      watch.stopped = true
      await looking
      await client.end()
    },
  }
}
