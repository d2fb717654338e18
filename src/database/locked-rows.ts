import type { Dialect } from './executor.ts'

/** For `$call`: locks the rows of a query until the transaction ends. SQLite has one writer anyway. */
export function lockedIn(dialect: Dialect) {
  return <Q extends { forUpdate(): Q }>(query: Q): Q => (dialect === 'postgres' ? query.forUpdate() : query)
}
