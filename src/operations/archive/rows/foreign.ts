/** Compares a SQLite file with what the migrations make: an archive or a backup may come from anybody. */

import type { Executor } from '../../../database/executor.ts'
import { type Migration, migrate, sqliteMigrationTable } from '../../../database/migration.ts'
import { quote } from '../../../database/sql-text.ts'
import { openSqliteExclusively } from '../../../database/sqlite/exclusive-database.ts'
import { openForInspection } from '../../../database/sqlite/existing-file.ts'
import { isCapture } from '../../rows/capture.ts'
import { allTenantTables, type TableShape } from '../../rows/shape.ts'

/** The maximum of a row or a value: more than request bodies may have. Larger ones would exhaust the memory. */
export const maxArchivedBytes = 64 * 1024 * 1024

/** Indexes that SQLite creates for constraints have no text. */
const objects = 'SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL'

/** Tables of SQLite itself. They may or may not exist. */
const ownTables = new Set([
  'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
  'CREATE TABLE sqlite_sequence(name,seq)',
])

/** An index on plain columns that is not unique: it evaluates nothing and refuses nothing. */
const plainIndex = /^CREATE INDEX "?\w+"? ON "?\w+"? ?\("?\w+"?( (ASC|DESC))?(, ?"?\w+"?( (ASC|DESC))?)*\)$/i

/** What a file may have in addition to what the migrations create. */
export interface Beside {
  /** Tables, by their statements. */
  tables: readonly string[]
  /** Accepts indexes that an operator may have added, and triggers of a move that is under way. */
  ofUse: boolean
}

interface Made {
  type: string
  name: string
  sql: string
}

/**
 * Reads no row, and evaluates no trigger, view, check or generated column of the file.
 * @param named the migrations that the file claims to have @param known all migrations
 * @returns the names of objects that differ from what the migrations create, or are missing
 */
export async function foreignObjects(
  path: string,
  { named, known }: { named: readonly string[]; known: readonly Migration[] },
  { tables, ofUse }: Beside,
): Promise<string[]> {
  const { found, order } = objectsIn(path)
  const { made, shapes } = await remembered(known, [...order, '', ...named, '', ...tables].join('\n'), () => {
    const applied = new Set(named)
    return madeBy(
      inOrder(
        known.filter(({ name }) => applied.has(name)),
        order,
      ),
      tables,
    )
  })
  const expected = new Map(made.map((one) => [nameOf(one), one.sql]))
  const foreign = found.filter((one) => {
    if (expected.get(nameOf(one)) === one.sql) return false
    return !(ofUse && !expected.has(nameOf(one)) && (plainIndex.test(one.sql) || isCapture(one.sql, shapes)))
  })
  const names = new Set(found.map(nameOf))
  return [...foreign.map(nameOf), ...[...expected.keys()].filter((name) => !names.has(name))]
}

/** @returns also the names of its migrations in their order, if the table of migrations is the genuine one */
function objectsIn(path: string): { found: Made[]; order: string[] } {
  const file = openForInspection(path, maxArchivedBytes)
  try {
    const found = file.prepare(objects).all().flatMap(readObject)
    const isOurs = found.some(({ type, sql }) => type === 'table' && sql === sqliteMigrationTable)
    const applied = isOurs ? file.prepare('SELECT name FROM migration ORDER BY rowid').all() : []
    return { found, order: applied.map(({ name }) => String(name)) }
  } finally {
    file.close()
  }
}

/**
 * Later versions add migrations in the middle of the list, and columns are in the order in which they were added.
 * A file that does not have the order of all has other migrations than it claims, which is detected later.
 */
function inOrder(migrations: readonly Migration[], order: readonly string[]): readonly Migration[] {
  const places = new Map(order.map((name, place) => [name, place]))
  const placed = migrations.flatMap((migration) => {
    const place = places.get(migration.name)
    return place === undefined ? [] : [{ migration, place }]
  })
  if (placed.length < migrations.length) return migrations
  return placed.toSorted((one, other) => one.place - other.place).map(({ migration }) => migration)
}

interface Schema {
  made: Made[]
  shapes: TableShape[]
}

/** Remembers the last schema: the files of a backup are alike. */
const lastMade = new WeakMap<readonly Migration[], { key: string; schema: Promise<Schema> }>()

function remembered(known: readonly Migration[], key: string, make: () => Promise<Schema>): Promise<Schema> {
  const last = lastMade.get(known)
  if (last?.key === key) return last.schema
  const schema = make()
  lastMade.set(known, { key, schema })
  return schema
}

async function madeBy(migrations: readonly Migration[], tables: readonly string[]): Promise<Schema> {
  const database = openSqliteExclusively(':memory:')
  try {
    await migrate(database, migrations)
    for (const table of tables) await database.executor.run(table, [], false)
    const { rows } = await database.executor.run(objects, [], false)
    return { made: rows.flatMap(readObject), shapes: await allTenantTables(database.executor) }
  } finally {
    await database.close()
  }
}

function readObject({ type, name, sql }: Record<string, unknown>): Made[] {
  return ownTables.has(String(sql)) ? [] : [{ type: String(type), name: String(name), sql: String(sql) }]
}

function nameOf({ type, name }: Made): string {
  return `${type} ${name}`
}

/** By the first word of a declared type, as the migrations write them. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  TEXT: ['text'],
  INTEGER: ['integer'],
  BOOLEAN: ['integer'],
  DECIMAL: ['integer', 'real'],
  BLOB: ['blob'],
}

/**
 * SQLite keeps a value of any kind in any column, but the service relies on the declared types.
 * @param executor of a SQLite file @returns the first column with a value of another type, as `table.column`
 */
export async function findForeignValue(
  executor: Executor,
  shapes: readonly TableShape[],
): Promise<string | null> {
  for (const { name } of shapes) {
    const { rows: columns } = await executor.run('SELECT name, type FROM pragma_table_info(?)', [name], true)
    for (const { name: column, type } of columns) {
      const kind = kinds[/^\w+/.exec(String(type).toUpperCase())?.[0] ?? '']
      if (kind === undefined) continue
      const allowed = [...kind, 'null'].map((each) => `'${each}'`).join(', ')
      const sql = `SELECT 1 FROM ${quote(name)} WHERE typeof(${quote(String(column))}) NOT IN (${allowed}) LIMIT 1`
      if ((await executor.run(sql, [], false)).rows.length > 0) return `${name}.${String(column)}`
    }
  }
  return null
}
