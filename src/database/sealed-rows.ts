/** Rows with something sealed in them, of all tenants of a database, for re-encryption: without knowing what it is. */
import type { Executor } from './executor.ts'
import { marks, quote } from './sql-text.ts'

/** Where what is sealed for a purpose is kept. */
export interface SealedColumn {
  purpose: string
  /** As that of the migration that makes the table. */
  database: 'catalogue' | 'tenant'
  table: string
  column: string
  /** The columns of the primary key. */
  key: readonly string[]
}

export interface SealedRow {
  /** Values of the primary key. */
  key: readonly unknown[]
  sealed: Uint8Array
}

interface Slice {
  /** Behind the row with this primary key; `null` from the first on. */
  after: readonly unknown[] | null
  limit: number
}

/** A database may not have come to the feature that the column is of. */
export async function hasSealedColumn(executor: Executor, { table, column }: SealedColumn): Promise<boolean> {
  const sql =
    executor.dialect === 'sqlite'
      ? 'SELECT 1 AS found FROM pragma_table_info(?) WHERE name = ?'
      : 'SELECT 1 AS found FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = $2 AND NOT attisdropped'
  return (await executor.run(sql, [table, column], false)).rows.length > 0
}

/**
 * Rows whose column does not begin with the prefix, in the order of their keys.
 * @param lock inside a transaction: until it ends nobody else changes them; rows that somebody changes are left out,
 *   so that this never waits for one row while it holds another
 */
export async function rowsSealedOtherwise(
  executor: Executor,
  sealedColumn: SealedColumn,
  { prefix, after, limit, lock }: Slice & { prefix: Uint8Array; lock: boolean },
): Promise<SealedRow[]> {
  const names = sealedColumn.key.map(quote)
  const mark = marks(executor.dialect)
  const parameters = [prefix, ...(after ?? []), limit]
  const conditions = [
    otherwise(sealedColumn, prefix, mark(1)),
    ...(after === null
      ? []
      : [`(${names.join(', ')}) > (${after.map((_, place) => mark(place + 2)).join(', ')})`]),
  ]
  const sql = [
    `SELECT ${[...names, quote(sealedColumn.column)].join(', ')} FROM ${quote(sealedColumn.table)}`,
    `WHERE ${conditions.join(' AND ')} ORDER BY ${names.join(', ')} LIMIT ${mark(parameters.length)}`,
    ...(lock && executor.dialect === 'postgres' ? ['FOR NO KEY UPDATE SKIP LOCKED'] : []),
  ].join(' ')
  const { rows } = await executor.run(sql, parameters, false)
  return rows.map((row) => ({
    key: sealedColumn.key.map((name) => row[name]),
    sealed: row[sealedColumn.column] as Uint8Array, // bytes in both databases
  }))
}

export async function countSealedOtherwise(
  executor: Executor,
  sealedColumn: SealedColumn,
  prefix: Uint8Array,
): Promise<number> {
  const condition = otherwise(sealedColumn, prefix, marks(executor.dialect)(1))
  const sql = `SELECT count(*) AS count FROM ${quote(sealedColumn.table)} WHERE ${condition}`
  return Number((await executor.run(sql, [prefix], false)).rows[0]?.['count'])
}

/** @returns `false` when the row has gone, or has something else in it by now */
export async function replaceSealed(
  executor: Executor,
  { table, column, key }: SealedColumn,
  row: SealedRow,
  sealed: Uint8Array,
): Promise<boolean> {
  const mark = marks(executor.dialect)
  const same = [...key, column].map((name, place) => `${quote(name)} = ${mark(place + 2)}`)
  const sql = `UPDATE ${quote(table)} SET ${quote(column)} = ${mark(1)} WHERE ${same.join(' AND ')}`
  return (await executor.run(sql, [sealed, ...row.key, row.sealed], true)).affected === 1
}

/** An outcome that is only reserved has no bytes yet. */
function otherwise({ column }: SealedColumn, prefix: Uint8Array, mark: string): string {
  const bytes = quote(column)
  return `length(${bytes}) > 0 AND substr(${bytes}, 1, ${prefix.length}) <> ${mark}`
}
