/** The tables that the features of an application declare, and whether its migrations make them. */
import type { Feature } from '../core/feature/feature.ts'
import type { StoredTables } from '../core/feature/stored-table.ts'
import { isEmpty } from '../database/schema/change.ts'
import { compareTables } from '../database/schema/compare.ts'
import { describeChange } from '../database/schema/describe.ts'
import { TablesDiffer } from '../database/schema/failure.ts'
import type { Migrations } from '../database/schema/read-migrations.ts'
import type { Table } from '../database/table.ts'
import type { ServiceOptions } from './service-options.ts'

/** @returns the tables that the migrations in files make; a feature with migrations of its own makes its tables itself */
export function declaredTables(features: readonly Feature[] = []): Table[] {
  const tables = features
    .filter(({ migrations }) => migrations === undefined)
    .flatMap((feature) => feature.tables ?? [])
  const names = new Set<string>()
  for (const { name } of tables) {
    if (names.has(name)) throw new TablesDiffer(`Two features declare the table ${name}.`)
    names.add(name)
  }
  return tables
}

export const howToGiveMigrations =
  "add migrations: readMigrations(new URL('migrations', import.meta.url)) to the options of the service"

/** @throws TablesDiffer */
export function requireMigrations({ features, migrations }: ServiceOptions): void {
  const tables = declaredTables(features)
  if (migrations === undefined) {
    if (tables.length === 0) return
    const names = tables.map(({ name }) => name).join(', ')
    throw new TablesDiffer(
      `No migrations make the tables ${names}: ${howToGiveMigrations}, and run the command migrate diff of your application.`,
    )
  }
  requireSnapshot(tables, migrations)
}

/** @throws TablesDiffer */
export function requireSnapshot(tables: readonly Table[], migrations: Migrations): void {
  const { change, questions } = compareTables(migrations.snapshot, tables)
  if (isEmpty(change) && questions.length === 0) return
  const lines = describeChange(change).map((line) => `\n  ${line}`)
  throw new TablesDiffer(
    `The definitions differ from the snapshot in ${migrations.folder}:${lines.join('')}\nRun this command of your application, and commit what it writes: migrate diff`,
  )
}

/** @returns the tables that features declare, and what their columns may have */
export function storedTables(features: readonly Feature[]): StoredTables {
  return {
    tables: features.flatMap(({ tables }) => tables ?? []),
    columns: Object.fromEntries(features.flatMap(({ columns }) => Object.entries(columns ?? {}))),
  }
}
