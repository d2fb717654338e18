import type { Executor } from '../executor.ts'

/** @returns the bytes of these databases of the server, by name; without those that this user may not connect to */
export async function databaseSizes(
  executor: Executor,
  names: readonly string[],
): Promise<Map<string, number>> {
  if (names.length === 0) return new Map()
  const text = `SELECT datname AS name, pg_database_size(oid) AS bytes FROM pg_database
    WHERE datname = ANY($1) AND has_database_privilege(oid, 'CONNECT')`
  const { rows } = await executor.run(text, [names], false)
  return new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)]))
}

/** The bytes of the database of this connection. */
export async function databaseSize(executor: Executor): Promise<number> {
  const text = 'SELECT pg_database_size(current_database()) AS bytes'
  return Number((await executor.run(text, [], false)).rows[0]?.['bytes'])
}
