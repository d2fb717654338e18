/** The statements that measure the rows of a tenant in any table. Their parameter is the tenant. */
import type { Database } from '../../database/executor.ts'
import { tenantColumn } from '../../database/scope.ts'
import { placeholders, quote } from '../../database/sql-text.ts'
import { inTime } from '../../database/sqlite/time-limit.ts'
import type { TableShape } from '../rows/shape.ts'

/** The maximum number of rows of a table that are counted. */
export const maxRows = 1_000_000
/** The number of rows whose width is measured. */
export const sampledRows = 200

/** Sums stored lengths, for which the database need not read long values that it stores outside of the row. */
export function sampleOf(database: Database, shape: TableShape): string {
  const length = database.dialect === 'sqlite' ? 'octet_length' : 'pg_column_size'
  const width = shape.columns.map((column) => `coalesce(${length}(${quote(column)}), 0)`).join(' + ')
  const sample = `SELECT ${width} AS width FROM ${rowsOf(database, shape)} LIMIT ${sampledRows}`
  return `SELECT count(*) AS rows, coalesce(sum(width), 0) AS bytes FROM (${sample}) AS sample`
}

export function countOf(database: Database, shape: TableShape, limit: number): string {
  return `SELECT count(*) AS rows FROM (SELECT 1 FROM ${rowsOf(database, shape)} LIMIT ${limit}) AS counted`
}

/**
 * On SQLite, one row in sixteen checks whether the time of the statement is over. `likelihood` tells the planner
 * that the condition excludes no rows.
 */
function rowsOf({ dialect }: Database, { name }: TableShape): string {
  const column = quote(tenantColumn)
  const condition = `${quote(name)} WHERE ${column} = ${placeholders(dialect)(1)}`
  if (dialect === 'postgres') return condition
  return `${condition} AND likelihood((random() & 15) <> 0 OR ${inTime}(${column}), 1.0)`
}
