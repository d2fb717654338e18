/**
 * Takes over a database from before version 0.2.0, whose migrations were renamed, edited and joined since: the
 * tables are created anew by the migrations of this version, and every row is copied into them, in one transaction.
 */

import type { Dialect, Executor, Transaction } from '../executor.ts'
import { columnTypes, type Migration, MigrationRefused } from '../migration.ts'
import { tablesCreatedBy } from '../require-tenant-column.ts'
import { quote } from '../sql-text.ts'
import { openSqliteExclusively } from '../sqlite/exclusive-database.ts'
import { formerMigrations, formerTables, formerValues, functionMigrations } from './before-release.ts'
import { createMigrationTable, type MigrationRecord, noteApplied } from './history.ts'
import { type FormerTables, setAside } from './set-aside.ts'
import { columnsByTable } from './tables.ts'

export interface Adoption {
  /**
   * The migrations that the old database has applied in effect, because it has their tables, in the order of this
   * version.
   */
  present: Migration[]
  /** For each new table: from which old table its rows are copied. */
  copies: TableCopy[]
}

interface TableCopy {
  table: string
  from: string
  /** The columns that are filled, each with an expression on a row of the old table. */
  values: Readonly<Record<string, string>>
}

/** Whether a database is from before version 0.2.0, which recorded no digests of migrations. */
export function isFormer(applied: readonly MigrationRecord[]): boolean {
  return applied.some(({ digest }) => digest === null)
}

/**
 * Takes the database over. On SQLite the transaction must not enforce foreign keys.
 * @throws MigrationRefused, having changed nothing, for a table or column that this version does not have
 */
export async function adopt(
  transaction: Transaction,
  applied: readonly MigrationRecord[],
  migrations: readonly Migration[],
): Promise<void> {
  const { dialect } = transaction
  const { present, copies } = await planAdoption(transaction, applied, migrations)
  const former = await setAside(transaction, [...copies.map(({ from }) => from), 'migration'])
  for (const migration of present)
    for (const statement of migration.statements(columnTypes[dialect], dialect))
      await transaction.run(statement, [], false)
  const triggers = await former.removeTriggers()
  // The migrations have inserted rows, such as the first tenant, which are among the copied ones.
  for (const { table } of copies.toReversed()) await transaction.run(`DELETE FROM ${quote(table)}`, [], false)
  for (const copy of copies) await copyRows(transaction, former, copy)
  for (const trigger of triggers) await transaction.run(trigger, [], false)
  await transaction.run(createMigrationTable(columnTypes[dialect]), [], false)
  for (const migration of present) await noteApplied(transaction, migration, momentOf(migration, applied))
  await former.drop()
}

/** @throws MigrationRefused for a migration, table or column that this version does not have */
export async function planAdoption(
  executor: Executor,
  applied: readonly MigrationRecord[],
  migrations: readonly Migration[],
): Promise<Adoption> {
  const found = await columnsByTable(executor)
  const present = presentMigrations(executor.dialect, found, { applied, migrations })
  const known = new Set([...formerMigrations, ...present.map(({ name }) => name)])
  const problems = applied
    .filter(({ name }) => !known.has(name))
    .map(({ name }) => `Migration ${name} was applied, and is not known here.`)
  const copies: TableCopy[] = []
  for (const [table, columns] of await columnsToBe(present)) {
    const former = formerTables[table] ?? table
    const from = found.has(former) ? former : table
    const before = found.get(from)
    if (before === undefined) continue
    const values = valuesOf(table, columns, before)
    const used = new Set(Object.values(values).flatMap((value) => value.match(/\w+/g) ?? []))
    const lost = [...before].filter((column) => !used.has(column))
    if (lost.length > 0)
      problems.push(`Table ${from} has columns that are not known here (${lost.join(', ')}).`)
    copies.push({ table, from, values })
  }
  if (problems.length > 0) throw new MigrationRefused(problems)
  return { present, copies }
}

/** @returns the migrations that were applied, maybe under another name: one counts if a table or column of it exists */
function presentMigrations(
  dialect: Dialect,
  columns: ReadonlyMap<string, ReadonlySet<string>>,
  { applied, migrations }: { applied: readonly MigrationRecord[]; migrations: readonly Migration[] },
): Migration[] {
  const needed = [...columns.keys()].flatMap((table) => functionMigrations[table] ?? [])
  // A migration of this version may reuse the name of a former one.
  const noted = applied.map(({ name }) => name).filter((name) => !formerMigrations.has(name))
  const names = new Set([...noted, ...needed])
  const isThere = (statement: string) =>
    tablesCreatedBy(statement).some(
      (table) => columns.has(table) || columns.has(formerTables[table] ?? table),
    ) || columnsAddedBy(statement).some(([table, column]) => columns.get(table)?.has(column))
  return migrations.filter(
    ({ name, statements }) => names.has(name) || statements(columnTypes[dialect], dialect).some(isThere),
  )
}

/** @returns the columns that a statement adds, found in its text by a pattern */
function columnsAddedBy(statement: string): [table: string, column: string][] {
  const added = /\bALTER\s+TABLE\s+(?:ONLY\s+)?"?(\w+)"?\s+ADD\s+(?:COLUMN\s+)?"?(\w+)"?/gi
  return [...statement.matchAll(added)].map(([, table = '', column = '']) => [table, column])
}

function valuesOf(
  table: string,
  columns: ReadonlySet<string>,
  before: ReadonlySet<string>,
): Record<string, string> {
  const values = [...columns].flatMap((column): [string, string][] => {
    if (before.has(column)) return [[column, quote(column)]]
    const value = formerValues[table]?.[column]
    return value === undefined ? [] : [[column, value]]
  })
  return Object.fromEntries(values)
}

/**
 * Runs the migrations on an empty SQLite database in memory: tables have the same columns on both databases.
 * @returns their tables with the columns, each table after those to which it refers
 */
async function columnsToBe(
  migrations: readonly Migration[],
): Promise<[table: string, columns: Set<string>][]> {
  await using database = openSqliteExclusively(':memory:')
  await database.transaction(
    async (transaction) => {
      for (const { statements } of migrations)
        for (const statement of statements(columnTypes.sqlite, 'sqlite'))
          await transaction.run(statement, [], false)
    },
    { withoutForeignKeys: true },
  )
  const found = await columnsByTable(database.executor)
  return [...found].filter(([table]) => !table.startsWith('sqlite_'))
}

async function copyRows(
  transaction: Transaction,
  former: FormerTables,
  { table, from, values }: TableCopy,
): Promise<void> {
  const columns = Object.keys(values).map(quote).join(', ')
  const override = transaction.dialect === 'postgres' ? ' OVERRIDING SYSTEM VALUE' : ''
  const select = `SELECT ${Object.values(values).join(', ')} FROM ${former.nameOf(from)}`
  await transaction.run(`INSERT INTO ${quote(table)} (${columns})${override} ${select}`, [], false)
}

function momentOf({ name }: Migration, applied: readonly MigrationRecord[]): string {
  const moments = applied.map(({ moment }) => moment).toSorted()
  return applied.find((each) => each.name === name)?.moment ?? moments[0] ?? new Date().toISOString()
}
