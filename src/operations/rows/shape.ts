/** The tables with tenants' rows, read from the database itself, so that tables of unknown features are included. */
import type { Executor, Row } from '../../database/executor.ts'
import { tenantColumn } from '../../database/scope.ts'

export interface TableShape {
  name: string
  columns: readonly string[]
  /** The columns of the primary key. */
  primary: readonly string[]
  /** The primary key without the tenant: it identifies a row of one tenant. */
  key: readonly string[]
  /** Tables that its foreign keys reference; it may reference itself. */
  parents: readonly string[]
}

/** @returns each table before those that reference it @throws Error for a table without a primary key */
export async function tenantTables(executor: Executor): Promise<TableShape[]> {
  const found = await allTenantTables(executor)
  for (const { name, primary } of found)
    if (primary.length === 0) throw new Error(`The table ${name} has no primary key.`)
  return found
}

/** Like `tenantTables`, but accepts tables without a primary key. */
export async function allTenantTables(executor: Executor): Promise<TableShape[]> {
  return inOrder(executor.dialect === 'sqlite' ? await onSqlite(executor) : await onPostgres(executor))
}

function shapeOf(name: string, columns: string[], primary: string[], parents: string[]): TableShape {
  return { name, columns, primary, parents, key: primary.filter((column) => column !== tenantColumn) }
}

async function onSqlite(executor: Executor): Promise<TableShape[]> {
  const tables = await executor.run(
    `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
       AND name IN (SELECT m.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE c.name = ?)`,
    [tenantColumn],
    true,
  )
  const shapes: TableShape[] = []
  for (const name of namesIn(tables.rows)) {
    const { rows } = await executor.run(
      'SELECT name, pk FROM pragma_table_xinfo(?) WHERE hidden = 0',
      [name],
      true,
    )
    const keys = rows.filter(({ pk }) => Number(pk) > 0).toSorted((a, b) => Number(a['pk']) - Number(b['pk']))
    const parents = await executor.run(
      'SELECT DISTINCT "table" AS name FROM pragma_foreign_key_list(?)',
      [name],
      true,
    )
    shapes.push(shapeOf(name, namesIn(rows), namesIn(keys), namesIn(parents.rows)))
  }
  return shapes
}

const postgresTables = `SELECT c.relname AS name,
  (SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
  (SELECT coalesce(json_agg(a.attname ORDER BY k.place), '[]') FROM pg_index i
    CROSS JOIN LATERAL unnest(cast(i.indkey AS int2[])) WITH ORDINALITY AS k (number, place)
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
    WHERE i.indrelid = c.oid AND i.indisprimary) AS key,
  (SELECT coalesce(json_agg(DISTINCT p.relname), '[]') FROM pg_constraint f JOIN pg_class p ON p.oid = f.confrelid
    WHERE f.conrelid = c.oid AND f.contype = 'f') AS parents
FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid AND t.attname = $1 AND NOT t.attisdropped
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = current_schema()::regnamespace`

async function onPostgres(executor: Executor): Promise<TableShape[]> {
  const { rows } = await executor.run(postgresTables, [tenantColumn], true)
  return rows.map(({ name, columns, key, parents }) =>
    // The driver parses JSON; each is a list of names.
    shapeOf(String(name), columns as string[], key as string[], parents as string[]),
  )
}

function namesIn(rows: readonly Row[]): string[] {
  return rows.map(({ name }) => String(name))
}

/** Tables that reference each other in a cycle are in any order. */
function inOrder(shapes: readonly TableShape[]): TableShape[] {
  const unplaced = new Map(shapes.map((shape) => [shape.name, shape]))
  const ordered: TableShape[] = []
  for (const name of [...unplaced.keys()].toSorted()) place(name)
  return ordered

  function place(name: string): void {
    const shape = unplaced.get(name)
    if (shape === undefined) return
    unplaced.delete(name)
    for (const parent of shape.parents) place(parent)
    ordered.push(shape)
  }
}
