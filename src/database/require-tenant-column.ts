/** Requires a tenant column in every table of tenants' rows: moves, exports and erasures select rows by it. */
import { identityTable } from './database-identity.ts'
import type { Dialect, Executor } from './executor.ts'
import { tenantColumn } from './scope.ts'

/** Finds tables without the column, in all schemas but PostgreSQL's own. Partitions have the columns of their table. */
const withoutTenant: Record<Dialect, string> = {
  sqlite: `SELECT t.name FROM pragma_table_list AS t
    WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
    AND NOT EXISTS (SELECT 1 FROM pragma_table_info(t.name) AS c WHERE c.name = '${tenantColumn}')`,
  postgres: `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND c.relpersistence <> 't' AND NOT c.relispartition
    AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
    AND NOT EXISTS (SELECT 1 FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attname = '${tenantColumn}' AND NOT a.attisdropped)`,
}

/**
 * Tables that need no tenant column, because a move must not copy them: those of moves, and the database's identity.
 */
const exempted: ReadonlySet<string> = new Set(['move_log', 'move_fence', 'move_arrival', identityTable])

/** @returns the names of all tables without the column */
export async function tablesWithoutTenant(executor: Executor): Promise<Set<string>> {
  const { rows } = await executor.run(withoutTenant[executor.dialect], [], false)
  return new Set(rows.map(({ name }) => String(name)).filter((name) => !exempted.has(name)))
}

/** @returns the tables that a statement creates, as far as its text shows */
export function tablesCreatedBy(statement: string): string[] {
  const created = /\bCREATE\s+(?:UNLOGGED\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:"?\w+"?\.)?"?(\w+)"?/gi
  return [...statement.matchAll(created)].map(([, name = '']) => name)
}

export function tenantColumnMissing(table: string): Error {
  const text = `its table ${table} has no column ${tenantColumn}: moving or erasing a tenant would leave its rows behind.`
  const way = `Begin the primary key of the table with ${tenantColumn}; create a table without tenants in a migration of the 'catalogue'.`
  return new Error(`${text} ${way}`)
}
