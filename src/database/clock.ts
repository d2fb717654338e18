import type { Executor } from './executor.ts'

/** What the clock of the server says; `null` for SQLite, which has none of its own. @throws DatabaseUnavailable */
export async function serverTime(executor: Executor): Promise<Date | null> {
  if (executor.dialect === 'sqlite') return null
  const { rows } = await executor.run('SELECT clock_timestamp() AS time', [], true)
  return new Date(String(rows[0]?.['time']))
}
