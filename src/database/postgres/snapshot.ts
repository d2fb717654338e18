import type { Executor } from '../executor.ts'

export interface ServerSnapshot {
  /** The transactions that have ended by now: `xmin:xmax:xip,…` (PostgreSQL's `pg_snapshot`). */
  snapshot: string
  server: string
}

const server = '(SELECT cast(system_identifier AS text) FROM pg_control_system()) AS server'

export async function currentSnapshot(executor: Executor): Promise<ServerSnapshot> {
  const sql = `SELECT cast(pg_current_snapshot() AS text) AS snapshot, ${server}`
  const { rows } = await executor.run(sql, [], true)
  return { snapshot: String(rows[0]?.['snapshot']), server: String(rows[0]?.['server']) }
}

/** Whose transactions are numbered: the numbers mean nothing on another one. */
export async function serverIdentifier(executor: Executor): Promise<string> {
  return String((await executor.run(`SELECT ${server}`, [], true)).rows[0]?.['server'])
}
