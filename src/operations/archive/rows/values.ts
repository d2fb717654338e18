/** SQLite keeps a value of any kind in any column. What the service reads relies on the declared ones. */
import type { Executor } from '../../../database/executor.ts'
import { quote } from '../../../database/sql-text.ts'
import type { TableShape } from '../../move/rows/shape.ts'

/** By the first word of a declared type, as the migrations write them. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  TEXT: ['text'],
  INTEGER: ['integer'],
  BOOLEAN: ['integer'],
  DECIMAL: ['integer', 'real'],
  BLOB: ['blob'],
}

/** @param executor of a SQLite file @returns the first column with a value of another kind, as `table.column` */
export async function foreignValue(
  executor: Executor,
  shapes: readonly TableShape[],
): Promise<string | null> {
  for (const { name } of shapes) {
    const { rows: columns } = await executor.run('SELECT name, type FROM pragma_table_info(?)', [name], true)
    for (const { name: column, type } of columns) {
      const kind = kinds[/^\w+/.exec(String(type).toUpperCase())?.[0] ?? '']
      if (kind === undefined) continue
      const allowed = [...kind, 'null'].map((each) => `'${each}'`).join(', ')
      const sql = `SELECT 1 FROM ${quote(name)} WHERE typeof(${quote(String(column))}) NOT IN (${allowed}) LIMIT 1`
      if ((await executor.run(sql, [], false)).rows.length > 0) return `${name}.${String(column)}`
    }
  }
  return null
}
