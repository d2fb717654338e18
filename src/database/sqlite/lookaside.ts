/**
 * Keeps cached statements out of the lookaside memory of a connection: 30 blocks of 1200 bytes and 93 of 128 bytes,
 * which SQLite uses before it calls the allocator (https://sqlite.org/malloc.html#lookaside). A few cached
 * statements would occupy all blocks for good, and each row of a list would then cost a dozen calls of the
 * allocator.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Values that fill more blocks of each size than there are. */
const blocks: readonly string[] = [...Array(40).fill('x'.repeat(1000)), ...Array(120).fill('x'.repeat(100))]
const none: readonly null[] = blocks.map(() => null)

/** @returns a function that prepares a statement while all lookaside memory is occupied by other values */
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
