/**
 * The encrypted values of a column, in the rows of all tenants of a database. Re-encryption reads and replaces them.
 */
import type { Executor } from './executor.ts'
import { placeholders, quote } from './sql-text.ts'

/** A column whose values are encrypted for one purpose. */
export interface EncryptedColumn {
  purpose: string
  /** The database that the migration of the table is for. */
  database: 'catalogue' | 'tenant'
  table: string
  column: string
  /** The columns of the primary key. */
  key: readonly string[]
}

export interface EncryptedRow {
  /** Values of the primary key. */
  key: readonly unknown[]
  encrypted: Uint8Array
}

interface KeyRange {
  /** The primary key after which the range begins; `null` begins with the first row. */
  after: readonly unknown[] | null
  limit: number
}

/** The migrations of the column's feature may not have run in this database. */
export async function hasEncryptedColumn(
  executor: Executor,
  { table, column }: EncryptedColumn,
): Promise<boolean> {
  const sql =
    executor.dialect === 'sqlite'
      ? 'SELECT 1 AS found FROM pragma_table_info(?) WHERE name = ?'
      : 'SELECT 1 AS found FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = $2 AND NOT attisdropped'
  return (await executor.run(sql, [table, column], false)).rows.length > 0
}

/**
 * Rows whose column does not begin with the prefix, in the order of their keys.
 * @param lock inside a transaction: locks the rows until it ends, and skips rows that are locked, so that this never
 *   waits for one row while it holds another
 */
export async function rowsUnderOtherKeys(
  executor: Executor,
  encryptedColumn: EncryptedColumn,
  { prefix, after, limit, lock }: KeyRange & { prefix: Uint8Array; lock: boolean },
): Promise<EncryptedRow[]> {
  const names = encryptedColumn.key.map(quote)
  const placeholder = placeholders(executor.dialect)
  const parameters = [prefix, ...(after ?? []), limit]
  const conditions = [
    isUnderOtherKey(encryptedColumn, prefix, placeholder(1)),
    ...(after === null
      ? []
      : [`(${names.join(', ')}) > (${after.map((_, index) => placeholder(index + 2)).join(', ')})`]),
  ]
  const sql = [
    `SELECT ${[...names, quote(encryptedColumn.column)].join(', ')} FROM ${quote(encryptedColumn.table)}`,
    `WHERE ${conditions.join(' AND ')} ORDER BY ${names.join(', ')} LIMIT ${placeholder(parameters.length)}`,
    ...(lock && executor.dialect === 'postgres' ? ['FOR NO KEY UPDATE SKIP LOCKED'] : []),
  ].join(' ')
  const { rows } = await executor.run(sql, parameters, false)
  return rows.map((row) => ({
    key: encryptedColumn.key.map((name) => row[name]),
    encrypted: row[encryptedColumn.column] as Uint8Array, // bytes in both databases
  }))
}

export async function countUnderOtherKeys(
  executor: Executor,
  encryptedColumn: EncryptedColumn,
  prefix: Uint8Array,
): Promise<number> {
  const condition = isUnderOtherKey(encryptedColumn, prefix, placeholders(executor.dialect)(1))
  const sql = `SELECT count(*) AS count FROM ${quote(encryptedColumn.table)} WHERE ${condition}`
  return Number((await executor.run(sql, [prefix], false)).rows[0]?.['count'])
}

/** @returns `false` when the row was deleted or changed since it was read */
export async function replaceEncrypted(
  executor: Executor,
  { table, column, key }: EncryptedColumn,
  row: EncryptedRow,
  encrypted: Uint8Array,
): Promise<boolean> {
  const placeholder = placeholders(executor.dialect)
  const same = [...key, column].map((name, index) => `${quote(name)} = ${placeholder(index + 2)}`)
  const sql = `UPDATE ${quote(table)} SET ${quote(column)} = ${placeholder(1)} WHERE ${same.join(' AND ')}`
  return (await executor.run(sql, [encrypted, ...row.key, row.encrypted], true)).affected === 1
}

/**
 * A condition: the value was encrypted with another key than the one that the prefix names. Empty values are
 * excluded: an idempotency record has one while its command is still running.
 */
function isUnderOtherKey({ column }: EncryptedColumn, prefix: Uint8Array, placeholder: string): string {
  const bytes = quote(column)
  return `length(${bytes}) > 0 AND substr(${bytes}, 1, ${prefix.length}) <> ${placeholder}`
}
