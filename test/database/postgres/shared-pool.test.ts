/** The connections of several tenants to one PostgreSQL database, while some of their statements hang. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseBusy, StatementTimedOut } from '../../../src/database/executor.ts'
import { openPostgres, type PostgresOptions } from '../../../src/database/postgres/postgres-database.ts'
import { inspect } from '../../support/database/inspect.ts'
import { Wire } from '../../support/database/wire.ts'
import { createPostgresDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'

const hang = 'SELECT pg_sleep(60)'

describe('Connections that tenants share', () => {
  let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>
  before(async () => {
    postgres = await createPostgresDatabase()
    await inspect(postgres.url, 'CREATE TABLE thing (id integer)')
  })
  after(() => postgres.drop())

  it('are left to others, and to the service, by a tenant whose reads and transactions hang', async () => {
    await using scene = open({})
    const { database } = scene
    const stuck = Array.from({ length: 20 }, () => [
      database.executorFor('a').run(hang, [], false),
      database.transaction((inside) => inside.run(hang, [], false), { owner: 'a' }),
    ]).flat()
    await eventually('the statements', soonMs, async () => (await hanging()) >= 4)
    const one = 'SELECT 1 AS one'
    for (const owner of ['b', 'c']) {
      assert.equal((await database.executorFor(owner).run(one, [], true)).rows.length, 1)
      await database.transaction((inside) => inside.run(one, [], true), { owner })
    }
    await database.executor.run(one, [], true)
    await database.transaction((inside) => inside.run(one, [], true))
    await database.probe.run(one, [], true)
    await scene.cancel(stuck)
  })

  it('are left to a tenant’s reads by its own transactions, and the other way round', async () => {
    await using scene = open({})
    const { database } = scene
    const run = (owner: string) => database.executorFor(owner).run('SELECT 1', [], true)
    const change = (owner: string) =>
      database.transaction((inside) => inside.run('SELECT 1', [], true), { owner })
    const writes = Array.from({ length: 20 }, () =>
      database.transaction((inside) => inside.run(hang, [], false), { owner: 'a' }),
    )
    await eventually('the transactions', soonMs, async () => (await hanging()) >= 4)
    await run('a')
    await scene.cancel(writes)
    const reads = Array.from({ length: 20 }, () => database.executorFor('b').run(hang, [], false))
    await eventually('the reads', soonMs, async () => (await hanging()) >= 4)
    await change('b')
    await scene.cancel(reads)
  })

  it('are refused to those for whom there is none in time', async () => {
    await using scene = open({ connectTimeoutMs: 1500 })
    const stuck = Array.from({ length: 6 }, () => scene.database.executorFor('a').run(hang, [], false))
    const refused = Promise.race(stuck)
    await assert.rejects(refused, DatabaseBusy)
    const usage = scene.database
      .connectionUsage?.()
      .find(({ user, use }) => user === 'tenant' && use === 'read')
    assert.equal(usage?.refused, 1)
    await scene.cancel(stuck)
  })

  it('are kept when a lock is not to be had in time', async () => {
    await using scene = open({ lockTimeoutMs: 100 })
    await using _lock = await lockTable()
    const read = 'SELECT pg_backend_pid() AS pid FROM thing'
    await assert.rejects(scene.database.executorFor('a').run(read, [], true), DatabaseBusy)
    const pids = new Set<unknown>()
    for (let count = 0; count < 3; count++) {
      const change = scene.database.transaction(
        async (inside) => {
          pids.add((await inside.run('SELECT pg_backend_pid() AS pid', [], true)).rows[0]?.['pid'])
          await inside.run(read, [], true)
        },
        { owner: 'a' },
      )
      await assert.rejects(change, DatabaseBusy)
    }
    assert.equal(pids.size, 1)
  })

  it('are given back by a request’s transaction after its time in all, though no statement takes that long', async () => {
    await using scene = open({ statementTimeoutMs: 1500 })
    let done = 0
    const steps = async (inside: {
      run(sql: string, parameters: [], reusable: boolean): Promise<unknown>
    }) => {
      for (; done < 12; done++) await inside.run('SELECT pg_sleep(0.3)', [], false)
    }
    await assert.rejects(scene.database.transaction(steps, { owner: 'a' }), StatementTimedOut)
    assert.ok(done < 6, `${done} statements`)
    done = 6
    await scene.database.transaction(steps) // the service itself has no such bound: a migration may take its time
    assert.equal(done, 12)
  })

  it('serve those who wait for a new one as soon as one is given back', async () => {
    const wire = await Wire.to(postgres.url)
    await using scene = open({ connectTimeoutMs: 3000 }, wire.url)
    const run = (owner: string, sql: string) => scene.database.executorFor(owner).run(sql, [], true)
    await run('a', 'SELECT 1')
    wire.holdNew()
    const first = run('a', 'SELECT pg_sleep(0.3)')
    const others = ['b', 'c'].map((owner) => run(owner, 'SELECT 1 AS one'))
    for (const { rows } of await Promise.all(others)) assert.deepEqual(rows, [{ one: 1 }])
    await first
    await wire.cut()
  })

  it('are refused to those who wait when none can be opened, and nobody gives one back', async () => {
    const wire = await Wire.to(postgres.url)
    await using scene = open({ connectTimeoutMs: 3000 }, wire.url)
    await wire.cut()
    const asked = ['a', 'b', 'c'].map((owner) => scene.database.executorFor(owner).run('SELECT 1', [], true))
    for (const { status } of await Promise.allSettled(asked)) assert.equal(status, 'rejected')
    await wire.mend()
    assert.equal((await scene.database.executorFor('a').run('SELECT 1', [], true)).rows.length, 1)
    await wire.cut()
  })

  function open(options: Partial<PostgresOptions>, url = postgres.url) {
    const usual = { maxConnections: 10, connectTimeoutMs: 20_000, statementTimeoutMs: 30_000 }
    const database = openPostgres(url, { ...usual, ...options })
    /** Those under way, and those that wait behind them. */
    const cancel = async (stuck: Promise<unknown>[]): Promise<void> => {
      const settled = Promise.allSettled(stuck)
      const state = { ended: false }
      const ending = settled.then(() => {
        state.ended = true
      })
      while (!state.ended) {
        await inspect(
          postgres.url,
          `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query = '${hang}'`,
        )
        await delay(10)
      }
      await ending
    }
    return { database, cancel, [Symbol.asyncDispose]: () => database.close() }
  }

  async function hanging(): Promise<number> {
    const sql = `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND query = '${hang}' AND state = 'active'`
    return (await inspect(postgres.url, sql)).length
  }

  async function lockTable() {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await client.query('BEGIN')
    await client.query('LOCK TABLE thing IN ACCESS EXCLUSIVE MODE')
    return { [Symbol.asyncDispose]: () => client.end() }
  }
})
