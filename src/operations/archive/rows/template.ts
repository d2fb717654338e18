/** A SQLite file with the tables of the service, and nothing in them. */
import type { Database } from '../../../database/executor.ts'
import { type Migration, migrate } from '../../../database/migration.ts'
import { quote } from '../../../database/sql-text.ts'
import { openSqliteExclusively } from '../../../database/sqlite/exclusive-database.ts'
import { tenantTables } from '../../move/rows/shape.ts'

/** @param migrations of both kinds of database; what they have written into tables is removed */
export async function makeEmpty(database: Database, migrations: readonly Migration[]): Promise<void> {
  await migrate(database, migrations)
  const sql =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migration'"
  const { rows } = await database.executor.run(sql, [], false)
  await database.transaction(async (transaction) => {
    await transaction.run('PRAGMA defer_foreign_keys = ON', [], false)
    for (const { name } of rows) await transaction.run(`DELETE FROM ${quote(String(name))}`, [], false)
  })
}

/** Those with a `tenant_id` that each database with tenants' rows has; others of that kind are of the catalogue. */
export async function tenantTableNames(migrations: readonly Migration[]): Promise<Set<string>> {
  const database = openSqliteExclusively(':memory:')
  try {
    await migrate(
      database,
      migrations.filter(({ database: kind }) => kind === 'tenant'),
    )
    return new Set((await tenantTables(database.executor)).map(({ name }) => name))
  } finally {
    await database.close()
  }
}
