/** Plans which migrations a database needs, and checks the whole plan before its first statement. */

import type { Executor } from '../executor.ts'
import { columnTypes, type Migration, MigrationRefused } from '../migration.ts'
import { tablesCreatedBy } from '../require-tenant-column.ts'
import { version as ownVersion } from '../version.ts'
import { digestOf } from './digest.ts'
import { appliedMigrations, type MigrationRecord } from './history.ts'
import { tablesOf } from './tables.ts'

/**
 * @param version of the program
 * @returns the pending migrations, in the order of their application
 * @throws MigrationRefused for tables of a newer version, for a migration that has changed since it was applied, and
 *   for a table that is there already; DatabaseUnavailable
 */
export async function planMigrations(
  executor: Executor,
  applied: readonly MigrationRecord[],
  migrations: readonly Migration[],
  version = ownVersion,
): Promise<Migration[]> {
  const names = new Set(applied.map(({ name }) => name))
  const pending = migrations.filter(({ name }) => !names.has(name))
  const taken = await takenTables(executor, pending)
  // Another process may have created these tables meanwhile.
  const now = taken.length > 0 ? await appliedMigrations(executor) : applied
  if (now.length > applied.length) return planMigrations(executor, now, migrations, version)
  const problems = [...problemsOfApplied(applied, migrations, version), ...taken]
  if (problems.length > 0) throw new MigrationRefused(problems)
  return pending
}

function problemsOfApplied(
  applied: readonly MigrationRecord[],
  migrations: readonly Migration[],
  version: string,
): string[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  return applied.flatMap(({ name, moment, digest, oldestVersion }) => {
    const migration = known.get(name)
    if (migration === undefined)
      return isOlder(version, oldestVersion) ? [ofNewer(name, oldestVersion, version)] : []
    return digest === null || digest === digestOf(migration) ? [] : [hasChanged(name, moment)]
  })
}

function ofNewer(name: string, oldest: string | null, version: string): string {
  const found = `Migration ${name} of a newer version of Tenantry was applied: its tables need version ${oldest} or newer, and this is version ${version}.`
  return `${found} Run the newer version, or restore a backup from before its start.`
}

function hasChanged(name: string, moment: string): string {
  const found = `Migration ${name} was applied on ${moment}, and its statements have changed since.`
  return `${found} Undo the change, and write a further migration for what is new.`
}

/** Looks only at databases with pending migrations: others have their tables. */
async function takenTables(executor: Executor, pending: readonly Migration[]): Promise<string[]> {
  if (pending.length === 0) return []
  const { dialect } = executor
  const present = await tablesOf(executor)
  return pending.flatMap(({ name, statements }) =>
    statements(columnTypes[dialect], dialect).flatMap((statement) => {
      const created = tablesCreatedBy(statement)
      for (const table of tablesRemovedBy(statement)) present.delete(table)
      const taken = /\bIF\s+NOT\s+EXISTS\b/i.test(statement)
        ? []
        : created.filter((table) => present.has(table))
      return taken.map((table) => isTaken(name, table))
    }),
  )
}

function isTaken(name: string, table: string): string {
  const found = `Migration ${name} creates the table ${table}, which is there already.`
  return `${found} If it belongs to another application, give Tenantry a database, or a schema, of its own.`
}

/** @returns the tables that a statement drops or renames, found in its text by a pattern */
function tablesRemovedBy(statement: string): string[] {
  const removed =
    /\b(?:DROP\s+TABLE\s+(?:IF\s+EXISTS\s+)?"?(\w+)"?|ALTER\s+TABLE\s+(?:ONLY\s+)?"?(\w+)"?\s+RENAME\s+TO)/gi
  return [...statement.matchAll(removed)].map(([, dropped, renamed]) => dropped ?? renamed ?? '')
}

/** @param oldest `null` is older than any */
export function isOlder(version: string, oldest: string | null): boolean {
  if (oldest === null) return false
  const [one, other] = [version, oldest].map((text) => text.split(/[.-]/, 3).map(Number))
  const place = one?.findIndex((number, index) => number !== other?.[index]) ?? -1
  return place !== -1 && (one?.[place] ?? 0) < (other?.[place] ?? 0)
}
