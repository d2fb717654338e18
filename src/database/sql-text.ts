/** Parts of SQL: names, placeholders, moments, and the key of partial indexes. */
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from './executor.ts'

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** @returns the placeholder of a parameter by its number, from 1; SQLite numbers them itself */
export function placeholders(dialect: Dialect): (index: number) => string {
  return (index) => (dialect === 'sqlite' ? '?' : `$${index}`)
}

/** ISO 8601 with milliseconds, as a GLOB pattern of SQLite. */
export const momentPattern =
  '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9].[0-9][0-9][0-9]Z'

/** The column of a member: `createdAt` is `created_at`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/**
 * The tenant column as in the indexes of pending rows. PostgreSQL sorts "POSIX" like "C" but distinguishes them: with
 * this expression it uses no other index, however few rows its statistics report.
 * @param column of the tenant, with its table
 */
export function pendingIndexKey(dialect: Dialect, column: string): RawBuilder<string> {
  return dialect === 'postgres'
    ? sql<string>`${sql.ref(column)} collate "POSIX"`
    : sql<string>`${sql.ref(column)}`
}

/** A moment as a value of a timestamp column. */
export function timestamp(value: string, dialect: Dialect): RawBuilder<string> {
  return dialect === 'postgres' ? sql<string>`cast(${value} as timestamptz)` : sql<string>`${value}`
}
