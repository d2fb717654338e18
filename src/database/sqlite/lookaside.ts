/**
 * The small memory of a connection. SQLite gives each connection 30 blocks of 1200 bytes and 93 of 128 bytes, and asks
 * the allocator only when these are in use (https://sqlite.org/malloc.html#lookaside). A few cached statements would
 * occupy all of them for good, and each row of a list would then cost a dozen calls of the allocator.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** More than there are, of either size. */
const blocks: readonly string[] = [...Array(40).fill('x'.repeat(1000)), ...Array(120).fill('x'.repeat(100))]
const none: readonly null[] = blocks.map(() => null)

/** @returns prepares a statement that is kept, without memory of the small one: it is occupied meanwhile */
export function prepareOutsideLookaside(connection: DatabaseSync): (sql: string) => StatementSync {
  // Bound values stay in memory until others are bound.
  const occupier = connection.prepare(`SELECT 1 WHERE NULL IN (${blocks.map(() => '?').join()})`)
  return (sql) => {
    occupier.all(...blocks)
    try {
      return connection.prepare(sql)
    } finally {
      occupier.all(...none)
    }
  }
}
