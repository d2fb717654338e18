import type { Executor } from '../executor.ts'

/** The transactions that have ended by now: `xmin:xmax:xip,…` (PostgreSQL's `pg_snapshot`). */
export async function presentSnapshot(executor: Executor): Promise<string> {
  const { rows } = await executor.run('SELECT cast(pg_current_snapshot() AS text) AS snapshot', [], true)
  return String(rows[0]?.['snapshot'])
}
