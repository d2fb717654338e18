/** Compares the schema of a SQLite file with what the service creates: it may come from anybody. */

import { ServiceError } from '../../../core/errors.ts'
import { migrate } from '../../../database/migrate/apply.ts'
import { formerMigrationTable, sqliteMigrationTable } from '../../../database/migrate/history.ts'
import type { Migration } from '../../../database/migration.ts'
import { openSqliteExclusively } from '../../../database/sqlite/exclusive-database.ts'
import { openForInspection } from '../../../database/sqlite/existing-file.ts'
import { isCapture } from '../../rows/capture.ts'
import { allTenantTables, type TableShape } from '../../rows/shape.ts'

/** The maximum size of a row or a value: larger than any request body. Larger rows could exhaust the memory. */
export const maxArchivedBytes = 64 * 1024 * 1024

/** Indexes that SQLite creates for constraints have no text, and are omitted. */
const selectObjects = 'SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL'

/** Tables of SQLite itself, which may exist. */
const ownTables = new Set([
  'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
  'CREATE TABLE sqlite_sequence(name,seq)',
])

/** An index on plain columns that is not unique: it evaluates nothing and refuses nothing. */
const plainIndex = /^CREATE INDEX "?\w+"? ON "?\w+"? ?\("?\w+"?( (ASC|DESC))?(, ?"?\w+"?( (ASC|DESC))?)*\)$/i

/** What a file may have in addition to what the migrations create. */
export interface AllowedObjects {
  /** The statements that create further tables. */
  tables: readonly string[]
  /** Whether indexes that an operator has added, and triggers of a move in progress, are accepted. */
  allowRuntimeObjects: boolean
}

interface SchemaObject {
  type: string
  name: string
  sql: string
}

/**
 * Reads no row, and evaluates no trigger, view, check or generated column of the file.
 * @param named the migrations that the file claims to have @param known all migrations
 * @returns the names of objects that differ from what the migrations create, or are missing
 * @throws ServiceError `invalid` for a file from before version 0.2.0
 */
export async function foreignObjects(
  path: string,
  { named, known }: { named: readonly string[]; known: readonly Migration[] },
  { tables, allowRuntimeObjects }: AllowedObjects,
): Promise<string[]> {
  refuseFormer(path)
  const { found, order } = readSchema(path)
  const { objects, shapes } = await cachedSchema(
    known,
    [...order, '', ...named, '', ...tables].join('\n'),
    () => {
      const applied = new Set(named)
      return createSchema(
        inAppliedOrder(
          known.filter(({ name }) => applied.has(name)),
          order,
        ),
        tables,
      )
    },
  )
  const expected = new Map(objects.map((one) => [nameOf(one), one.sql]))
  const foreign = found.filter((one) => {
    if (expected.get(nameOf(one)) === one.sql) return false
    return !(
      allowRuntimeObjects &&
      !expected.has(nameOf(one)) &&
      (plainIndex.test(one.sql) || isCapture(one.sql, shapes))
    )
  })
  const names = new Set(found.map(nameOf))
  return [...foreign.map(nameOf), ...[...expected.keys()].filter((name) => !names.has(name))]
}

/**
 * The schemas of former versions are not known exactly. The version that wrote the file can still read it.
 * @throws ServiceError `invalid` for a file from before version 0.2.0
 */
export function refuseFormer(path: string): void {
  using file = openForInspection(path, maxArchivedBytes)
  const find = file.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND sql = ?")
  if (find.get(formerMigrationTable) === undefined) return
  const text = `${path} was written before version 0.2.0, the first release.`
  const way =
    'Restore or import it with the version that has written it, and start this version on its data folder.'
  throw new ServiceError('invalid', `${text} ${way}`)
}

/** @returns the objects, and the applied migrations in order, if the table of migrations is that of the service */
function readSchema(path: string): { found: SchemaObject[]; order: string[] } {
  using file = openForInspection(path, maxArchivedBytes)
  const found = file.prepare(selectObjects).all().flatMap(readObject)
  const isOurs = found.some(({ type, sql }) => type === 'table' && sql === sqliteMigrationTable)
  const applied = isOurs ? file.prepare('SELECT name FROM migration ORDER BY rowid').all() : []
  return { found, order: applied.map(({ name }) => String(name)) }
}

/**
 * A later version adds migrations in the middle of the list, but a table has its columns in the order of their
 * creation. A file that does not have all the migrations that it claims is detected later.
 */
function inAppliedOrder(migrations: readonly Migration[], order: readonly string[]): readonly Migration[] {
  const ranks = new Map(order.map((name, rank) => [name, rank]))
  const ranked = migrations.flatMap((migration) => {
    const rank = ranks.get(migration.name)
    return rank === undefined ? [] : [{ migration, rank }]
  })
  if (ranked.length < migrations.length) return migrations
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ migration }) => migration)
}

interface Schema {
  objects: SchemaObject[]
  shapes: TableShape[]
}

/** Caches only the last schema: the files of a backup have the same one. */
const lastSchema = new WeakMap<readonly Migration[], { key: string; schema: Promise<Schema> }>()

function cachedSchema(
  known: readonly Migration[],
  key: string,
  make: () => Promise<Schema>,
): Promise<Schema> {
  const last = lastSchema.get(known)
  if (last?.key === key) return last.schema
  const schema = make()
  lastSchema.set(known, { key, schema })
  return schema
}

async function createSchema(migrations: readonly Migration[], tables: readonly string[]): Promise<Schema> {
  await using database = openSqliteExclusively(':memory:')
  await migrate(database, migrations)
  for (const table of tables) await database.executor.run(table, [], false)
  const { rows } = await database.executor.run(selectObjects, [], false)
  return { objects: rows.flatMap(readObject), shapes: await allTenantTables(database.executor) }
}

function readObject({ type, name, sql }: Record<string, unknown>): SchemaObject[] {
  return ownTables.has(String(sql)) ? [] : [{ type: String(type), name: String(name), sql: String(sql) }]
}

function nameOf({ type, name }: SchemaObject): string {
  return `${type} ${name}`
}
