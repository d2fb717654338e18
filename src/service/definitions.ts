/** The tables that definitions declare, in groups whose migrations are in one folder. */
import { existsSync } from 'node:fs'
import type { SchemaChange } from '../database/schema/change.ts'
import { type Comparison, compareTables } from '../database/schema/compare.ts'
import type { Decisions } from '../database/schema/decisions.ts'
import type { Migrations } from '../database/schema/read-migrations.ts'
import type { Table } from '../database/table.ts'
import { packageFolder, version } from '../database/version.ts'
import { builtInEntities } from './built-in-entities.ts'
import { declaredTables } from './declared-tables.ts'

export interface Definitions {
  tables: readonly Table[]
  migrations: Migrations
  /** The oldest version of Tenantry that works on the tables of the next migration; `null`: each. */
  oldestVersion: string | null
}

/**
 * The built-in entities, for those who change Tenantry itself. An older version would leave the rows of their tables
 * behind when it moves or erases a tenant.
 * @returns none in an installed package, which has no sources to change
 */
export function builtInDefinitions(): Definitions[] {
  if (!existsSync(new URL('src/', packageFolder))) return []
  return builtInEntities.map(({ entities, migrations }) => ({
    tables: declaredTables(entities),
    migrations,
    oldestVersion: version,
  }))
}

/** Compares all groups together, because a decision (such as a renaming) may name a table of any group. */
export function compareDefinitions(all: readonly Definitions[], decisions?: Decisions): Comparison {
  const before = all.flatMap(({ migrations }) => migrations.snapshot)
  return compareTables(
    before,
    all.flatMap(({ tables }) => tables),
    decisions,
  )
}

/** @returns the part of the change that concerns the tables of one group */
export function changeIn({ tables, migrations }: Definitions, change: SchemaChange): SchemaChange {
  const now = new Set(tables.map(({ name }) => name))
  const before = new Set(migrations.snapshot.map(({ name }) => name))
  return {
    created: change.created.filter(({ name }) => now.has(name)),
    changed: change.changed.filter(({ after }) => now.has(after.name)),
    dropped: change.dropped.filter(({ name }) => before.has(name)),
  }
}
