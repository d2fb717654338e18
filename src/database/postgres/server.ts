/** Asks a PostgreSQL server for its transaction snapshot, its identifier and its time. */
import type { Database, Executor } from '../executor.ts'

export interface ServerSnapshot {
  /** The transactions that have ended: `xmin:xmax:xip,…` (PostgreSQL's `pg_snapshot`). */
  snapshot: string
  server: string
}

const server = '(SELECT cast(system_identifier AS text) FROM pg_control_system()) AS server'

export async function currentSnapshot(executor: Executor): Promise<ServerSnapshot> {
  const sql = `SELECT cast(pg_current_snapshot() AS text) AS snapshot, ${server}`
  const { rows } = await executor.run(sql, [], true)
  return { snapshot: String(rows[0]?.['snapshot']), server: String(rows[0]?.['server']) }
}

/** Transaction numbers are valid on the server with this identifier only. */
export async function serverIdentifier(executor: Executor): Promise<string> {
  return String((await executor.run(`SELECT ${server}`, [], true)).rows[0]?.['server'])
}

/** The clock of the server; `null` for SQLite, which has none. @throws DatabaseUnavailable */
export async function serverTime(executor: Executor): Promise<Date | null> {
  if (executor.dialect === 'sqlite') return null
  const { rows } = await executor.run('SELECT clock_timestamp() AS time', [], true)
  return new Date(String(rows[0]?.['time']))
}

/**
 * @returns a text that is equal for all addresses of a database, until its server restarts. Any role may read it, which
 *   is not so for the identifier of the server.
 */
export async function placeOf({ executor }: Pick<Database, 'executor'>): Promise<string> {
  const sql = 'SELECT current_database() AS name, cast(pg_postmaster_start_time() AS text) AS started'
  const { rows } = await executor.run(sql, [], false)
  return JSON.stringify(rows[0])
}
