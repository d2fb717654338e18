import type { Dialect } from './executor.ts'

/**
 * For `$call` of Kysely: locks the rows of a query until the transaction ends. SQLite has only one writer at a time.
 */
export function lockedIn(dialect: Dialect) {
  return <Q extends { forUpdate(): Q }>(query: Q): Q => (dialect === 'postgres' ? query.forUpdate() : query)
}
