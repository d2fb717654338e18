/** The tables of a database, and their columns. */
import type { Executor } from '../executor.ts'

/** @returns the names of all tables that a statement without a schema would find */
export async function tablesOf(executor: Executor): Promise<Set<string>> {
  const sql =
    executor.dialect === 'sqlite'
      ? "SELECT name FROM sqlite_schema WHERE type = 'table'"
      : "SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = to_regnamespace(current_schema())"
  const { rows } = await executor.run(sql, [], false)
  return new Set(rows.map(({ name }) => String(name)))
}

/** @returns the columns of a table in their order; none for a table that does not exist */
export async function columnsOf(executor: Executor, table: string): Promise<Set<string>> {
  const sql =
    executor.dialect === 'sqlite'
      ? 'SELECT name FROM pragma_table_info(?) ORDER BY cid'
      : `SELECT attname AS name FROM pg_attribute
         WHERE attrelid = to_regclass(quote_ident($1)) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`
  const { rows } = await executor.run(sql, [table], false)
  return new Set(rows.map(({ name }) => String(name)))
}

export async function columnsByTable(executor: Executor): Promise<Map<string, Set<string>>> {
  const columns = new Map<string, Set<string>>()
  for (const table of await tablesOf(executor)) columns.set(table, await columnsOf(executor, table))
  return columns
}
