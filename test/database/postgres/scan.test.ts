import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Database, DatabaseBusy, type Row, StatementTimedOut } from '../../../src/database/executor.ts'
import { openPostgres } from '../../../src/database/postgres/postgres-database.ts'
import { inspect } from '../../support/database/inspect.ts'
import { createPostgresDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { sum } from '../sum.ts'

/** Longer than any test takes, unless something ends it. */
const hang = 'SELECT pg_sleep(60)'

describe('A scan on PostgreSQL', () => {
  let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>
  let database: Database
  before(async () => {
    postgres = await createPostgresDatabase()
    database = openPostgres(postgres.url, {
      maxConnections: 10,
      connectTimeoutMs: 5000,
      statementTimeoutMs: 30_000,
    })
  })
  after(async () => {
    await database.close()
    await postgres.drop()
  })

  it('gives all rows in their order, in batches by their size', async () => {
    const small = await batchSizes(scan('SELECT n FROM generate_series(1, $1::int) AS n ORDER BY n', [1000]))
    assert.equal(sum(small), 1000)
    assert.ok(Math.max(...small) <= 200 && small.length < 20, `${small}`)
    const large = await batchSizes(scan("SELECT repeat('x', 50000) AS text FROM generate_series(1, 100)", []))
    assert.equal(sum(large), 100)
    assert.ok(
      large.slice(1).every((count) => count <= 3),
      `${large}`,
    )
    assert.deepEqual(await batchSizes(scan('SELECT 1 AS one WHERE false', [])), [])
    const rows = (await collect(scan('SELECT n FROM generate_series(1, 300) AS n', []))).flat()
    assert.deepEqual(
      rows.map((row) => row['n']),
      Array.from({ length: 300 }, (_, index) => index + 1),
    )
  })

  it('is answered by what came during a pause of the process, however long it was', async () => {
    const one = () => collect(scan('SELECT 1 AS one', [], 'a', 1000))
    await one() // its connection is kept
    const rows = one()
    await nextTurn() // it is sent
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500) // longer than a server is waited for
    assert.deepEqual(await rows, [[{ one: 1 }]])
  })

  it('gives its connection back when its reader stops', async () => {
    for (let count = 0; count < 6; count++) {
      for await (const rows of scan('SELECT n FROM generate_series(1, 100000) AS n', [])) {
        assert.ok(rows.length > 0)
        break
      }
      await assert.rejects(async () => {
        for await (const _ of scan('SELECT n FROM generate_series(1, 100000) AS n', []))
          throw new Error('enough')
      }, /enough/)
    }
    assert.equal((await busy()).length, 0)
    assert.equal(held(), 0)
  })

  it('is cancelled when its reader leaves while it runs', async () => {
    const reader = scan(hang, [])[Symbol.asyncIterator]()
    const next = assert.rejects(reader.next(), StatementTimedOut)
    await eventually('the statement', soonMs, async () => (await busy()).length === 1)
    await reader.return?.()
    await next
    await eventually('its end', soonMs, async () => (await busy()).length === 0 && held() === 0)
  })

  it('is cancelled when its reader leaves before the server has named its process', async () => {
    await collect(scan('SELECT 1 AS one', [])) // its connection is kept
    const reader = scan(hang, [], 'a', 2 * soonMs)[Symbol.asyncIterator]()
    const next = reader.next().catch(() => undefined)
    for (let step = 0; step < 50; step++) await null // it is sent, and nothing is received in this turn
    const left = reader.return?.()
    await eventually('its end', soonMs, async () => (await busy()).length === 0 && held() === 0)
    await Promise.all([left, next])
  })

  it('ends after its time in the database, however many batches it takes, and leaves nothing running', async () => {
    await assert.rejects(collect(scan(hang, [], 'a', 200)), StatementTimedOut)
    const slow = "SELECT repeat('x', 20000) AS text, pg_sleep(0.01) FROM generate_series(1, 2000)"
    let count = 0
    await assert.rejects(async () => {
      for await (const rows of scan(slow, [], 'a', 1000)) count += rows.length
    }, StatementTimedOut)
    assert.ok(count > 0 && count < 200, `${count} rows`)
    assert.deepEqual(await busy(), [])
    assert.equal(held(), 0)
  })

  it('says what is wrong with its statement, and goes on with the next', async () => {
    await assert.rejects(collect(scan('SELECT 1 / $1::int', [0])), /division by zero/)
    await assert.rejects(collect(scan('SELECT nothing', [])), /"nothing" does not exist/)
    assert.deepEqual(await collect(scan('SELECT 1 AS one', [])), [[{ one: 1 }]])
  })

  it('waits behind others of its owner, and not behind those of another', async () => {
    const stop = hold('a', 10)
    await eventually('the first', soonMs, async () => (await busy()).length === 1)
    assert.deepEqual(await collect(scan('SELECT 1 AS one', [], 'b')), [[{ one: 1 }]])
    assert.deepEqual(await collect(scan('SELECT 1 AS one', [], 'c')), [[{ one: 1 }]])
    assert.equal((await busy()).length, 1)
    await stop()
  })

  it('keeps no other statement waiting', async () => {
    const stop = [hold('a', 5), hold('b', 5), hold('c', 5)]
    await eventually('both', soonMs, async () => (await busy()).length === 2)
    const others = ['a', 'b', 'c', 'd'].map((owner) => database.executorFor(owner).run('SELECT 1', [], true))
    await Promise.all([...others, database.transaction((inside) => inside.run('SELECT 1', [], true))])
    // The server may show the others as active for a moment after their replies.
    await eventually('the others', soonMs, async () => (await busy()).length === 2)
    await Promise.all(stop.map((end) => end()))
  })

  it('is refused when too many of its owner wait', async () => {
    const stop = hold('a', 17)
    await assert.rejects(collect(scan('SELECT 1', [], 'a')), DatabaseBusy)
    assert.deepEqual(await collect(scan('SELECT 1 AS one', [], 'b')), [[{ one: 1 }]])
    await stop()
  })

  function scan(sql: string, parameters: unknown[], owner = 'a', timeoutMs = 20_000): AsyncIterable<Row[]> {
    return database.scan(sql, parameters, { owner, time: { leftMs: timeoutMs } })
  }

  /** So many scans of the owner that hang, or wait. @returns ends them all */
  function hold(owner: string, count: number): () => Promise<void> {
    const readers = Array.from({ length: count }, () => scan(hang, [], owner)[Symbol.asyncIterator]())
    const outcomes = readers.map((reader) => reader.next().catch(() => undefined))
    return async () => {
      await Promise.all(readers.map((reader) => reader.return?.()))
      await Promise.all(outcomes)
      await eventually('their end', soonMs, async () => (await busy()).length === 0)
    }
  }

  function busy() {
    return inspect(
      postgres.url,
      `SELECT query FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'tenantry' AND state <> 'idle'`,
    )
  }

  function held(): number | undefined {
    return database.connectionUsage?.().find(({ use }) => use === 'scan')?.held
  }
})

async function batchSizes(batches: AsyncIterable<Row[]>): Promise<number[]> {
  return (await collect(batches)).map(({ length }) => length)
}

async function collect(batches: AsyncIterable<Row[]>): Promise<Row[][]> {
  const all: Row[][] = []
  for await (const rows of batches) all.push(rows)
  return all
}
