/** What a database says of its tables, so that two ways to the same tables can be compared. Columns have no order. */
import type { Database, Row } from '../../../src/database/executor.ts'

export type Catalog = Record<string, unknown>

export async function catalogOf(database: Database, tables: readonly string[]): Promise<Catalog> {
  const read = database.dialect === 'sqlite' ? readSqlite : readPostgres
  const entries: [string, unknown][] = []
  for (const table of tables.toSorted()) entries.push([table, await read(database, table)])
  return Object.fromEntries([...entries, ['', await namesIn(database)]])
}

async function namesIn(database: Database): Promise<unknown> {
  const sql =
    database.dialect === 'sqlite'
      ? "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'migration'"
      : "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migration'"
  return texts(await ask(database, sql))
}

async function readSqlite(database: Database, table: string): Promise<unknown> {
  const [made] = await ask(
    database,
    `SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = '${table}'`,
  )
  const checks = String(made?.['sql']).match(/CHECK \((?:[^()]|\([^()]*\))*\)/g) ?? []
  const columns = `SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo('${table}')`
  const keys = `SELECT "table", "from", "to", on_delete, on_update FROM pragma_foreign_key_list('${table}')`
  const indexes = `SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = '${table}'`
  const figures = `SELECT tbl, idx, stat FROM sqlite_stat1 WHERE tbl = '${table}'`
  return {
    checks: checks.toSorted(),
    columns: texts(await ask(database, columns)),
    keys: texts(await ask(database, keys)),
    indexes: texts(await ask(database, indexes)),
    figures: texts(await ask(database, figures)),
    isClustered: /WITHOUT ROWID$/.test(String(made?.['sql'])),
  }
}

/** Names of primary keys and of NOT NULL matter to nobody. */
async function readPostgres(database: Database, table: string): Promise<unknown> {
  const columns = `SELECT a.attname, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull, l.collname,
      pg_get_expr(d.adbin, d.adrelid) AS fallback
    FROM pg_attribute a LEFT JOIN pg_collation l ON l.oid = a.attcollation
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = 'public."${table}"'::regclass AND a.attnum > 0 AND NOT a.attisdropped`
  const constraints = `SELECT CASE contype WHEN 'p' THEN '' ELSE conname END AS name, pg_get_constraintdef(oid) AS def
    FROM pg_constraint WHERE conrelid = 'public."${table}"'::regclass AND contype <> 'n'`
  const indexes = `SELECT pg_get_indexdef(indexrelid) AS def FROM pg_index
    WHERE indrelid = 'public."${table}"'::regclass AND NOT indisprimary`
  return {
    columns: texts(await ask(database, columns)),
    constraints: texts(await ask(database, constraints)),
    indexes: texts(await ask(database, indexes)),
  }
}

async function ask({ executor }: Database, sql: string): Promise<Row[]> {
  return (await executor.run(sql, [], false)).rows
}

function texts(rows: readonly Row[]): string[] {
  return rows.map((row) => JSON.stringify(Object.values(row))).toSorted()
}
