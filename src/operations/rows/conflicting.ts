import type { Executor, Row } from '../../database/executor.ts'
import { quote } from '../../database/sql-text.ts'
import type { TableShape } from './shape.ts'

/**
 * @returns the rows, of any tenant, that have the primary key of a given row: some primary keys do not begin with the
 *   tenant
 */
export async function findConflictingRows(
  executor: Executor,
  { name, columns, primary }: TableShape,
  rows: readonly Row[],
): Promise<Row[]> {
  if (rows.length === 0) return []
  const table = quote(name)
  const names = columns.map(quote).join(', ')
  if (executor.dialect === 'sqlite') {
    const sql = `SELECT ${names} FROM ${table} WHERE ${primary.map((column) => `${quote(column)} = ?`).join(' AND ')}`
    const found: Row[] = []
    for (const row of rows) {
      const key = primary.map((column) => row[column])
      found.push(...(await executor.run(sql, key, true)).rows)
    }
    return found
  }
  const list = primary.map(quote).join(', ')
  const given = `json_populate_recordset(CAST(NULL AS ${table}), CAST($1 AS json))`
  const sql = `SELECT ${names} FROM ${table} WHERE (${list}) IN (SELECT ${list} FROM ${given})`
  const keys = rows.map((row) => Object.fromEntries(primary.map((column) => [column, row[column]])))
  return (await executor.run(sql, [JSON.stringify(keys)], false)).rows
}
