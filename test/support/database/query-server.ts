/** Statements on PostgreSQL, past the service. */
import pg from 'pg'

/** Tells its connections from those of a service. */
export const inspector = 'inspector'

/** By the address of the database. A connection stays open for a moment: to open one takes longer than most statements. */
const pools = new Map<string, pg.Pool>()

/** Runs one statement, which leaves nothing in its session. */
export async function queryServer<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const { rows } = await poolOf(url).query<Row>(sql)
  return rows
}

function poolOf(url: string): pg.Pool {
  const known = pools.get(url)
  if (known !== undefined) return known
  const pool = new pg.Pool({
    connectionString: url,
    application_name: inspector,
    allowExitOnIdle: true,
    idleTimeoutMillis: 1000,
  })
  pool.on('error', () => undefined) // its server, or its database, is gone
  pools.set(url, pool)
  return pool
}
