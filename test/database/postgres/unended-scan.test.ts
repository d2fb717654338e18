/** A connection whose scan could not be ended is not reused: the next statement would run inside the scan. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { DatabaseUnavailable, type Row } from '../../../src/database/executor.ts'
import { ConnectionPool } from '../../../src/database/postgres/connection-pool.ts'
import { FairLimiter } from '../../../src/database/postgres/fair-limiter.ts'
import { IdentityCheck } from '../../../src/database/postgres/identity-check.ts'
import { LimitedPool } from '../../../src/database/postgres/limited-pool.ts'
import { toStatement } from '../../../src/database/postgres/request.ts'
import { CursorScans } from '../../../src/database/postgres/scan.ts'
import { Sessions } from '../../../src/database/postgres/session.ts'
import { PooledExecutor } from '../../../src/database/postgres/statement.ts'
import { inspect } from '../../support/database/inspect.ts'
import { Wire } from '../../support/database/wire.ts'
import { createPostgresDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'

/** Of the client, which gives up an answer that does not come. */
const silenceMs = 1000
const limits = { permits: 1, reserve: 0, share: 1, maxWaiting: 10, maxWaitingPerOwner: 10, maxWaitMs: 5000 }
const rows = 'SELECT n FROM generate_series(1, 1000) AS n'

describe('A connection whose scan could not be ended', () => {
  let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>
  let wire: Wire
  let pool: LimitedPool
  let scans: CursorScans
  beforeEach(async () => {
    postgres = await createPostgresDatabase()
    wire = await Wire.to(postgres.url)
    const client = { connectionString: wire.url, query_timeout: silenceMs, pipeline: true }
    const identity = new IdentityCheck()
    const sessions = new Sessions(client, { statementTimeoutMs: 30_000 })
    const connections = new ConnectionPool(null, {
      client,
      maxConnections: 1,
      idleMs: 60_000,
      identity,
      sessions,
    })
    pool = new LimitedPool(connections, new FairLimiter(limits))
    scans = new CursorScans(pool, new PooledExecutor(pool, null))
  })
  afterEach(async () => {
    await wire.mend()
    await scans.end()
    await wire.cut()
    await postgres.drop()
  })

  it('is kept for the next one when it could', async () => {
    const first = await session()
    await readOne(rows)
    assert.equal(await session(), first)
  })

  it('is closed when its COMMIT is refused, though the server goes on to answer', async () => {
    // A transaction that only reads may write to temporary tables, and a deferred rule is judged by its COMMIT.
    await ask('CREATE TEMP TABLE once (n integer UNIQUE DEFERRABLE INITIALLY DEFERRED)')
    await ask(`CREATE FUNCTION pg_temp.spoil() RETURNS integer LANGUAGE sql
      AS 'INSERT INTO once VALUES (1), (1) RETURNING n'`)
    const first = await session()
    await readOne('SELECT pg_temp.spoil() AS n')
    assert.notEqual(await session(), first)
    await eventually('its session ends', soonMs, async () => {
      const query = `SELECT pid FROM pg_stat_activity WHERE pid = ${first}`
      return (await inspect(postgres.url, query)).length === 0
    })
  })

  it('is closed when its COMMIT is not answered', async () => {
    const first = await session()
    await readOne(rows, () => wire.hold())
    await wire.mend()
    assert.notEqual(await session(), first)
    await readOne(rows)
  })

  it('is closed when it breaks, and what the reader is told is that it did', async () => {
    const first = await session()
    const reader = scan(rows)[Symbol.asyncIterator]()
    await reader.next()
    await wire.cut()
    await assert.rejects(reader.next(), DatabaseUnavailable)
    await wire.mend()
    assert.notEqual(await session(), first)
  })

  function scan(sql: string): AsyncIterable<Row[]> {
    return scans.read(sql, [], { owner: 'a', time: { leftMs: 20_000 } })
  }

  /** Its first batch. @param meanwhile before the scan is ended */
  async function readOne(sql: string, meanwhile?: () => void): Promise<void> {
    for await (const batch of scan(sql)) {
      assert.ok(batch.length > 0)
      meanwhile?.()
      break
    }
  }

  /** By the connection that the next scan gets. */
  async function ask(text: string): Promise<Row[]> {
    return (await pool.query('a', toStatement(text, [], false))).rows
  }

  /** @returns the process that serves it */
  async function session(): Promise<unknown> {
    return (await ask('SELECT pg_backend_pid() AS pid'))[0]?.['pid']
  }
})
