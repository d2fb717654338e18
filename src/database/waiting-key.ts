import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from './executor.ts'

/**
 * The tenant as the indexes of what waits have it. PostgreSQL sorts "POSIX" as "C" and yet tells them apart: with this
 * condition it takes no other index, however few rows it believes the table to have.
 * @param column of the tenant, with its table
 */
export function pendingIndexKey(dialect: Dialect, column: string): RawBuilder<string> {
  return dialect === 'postgres'
    ? sql<string>`${sql.ref(column)} collate "POSIX"`
    : sql<string>`${sql.ref(column)}`
}
