/** Tells whether a column has UUIDs, moments or other texts, which a database of SQLite declares alike, as text. */
import { migrate } from '../../../database/migrate/apply.ts'
import { type ColumnTypes, columnTypes, type Migration } from '../../../database/migration.ts'
import { openSqliteExclusively } from '../../../database/sqlite/exclusive-database.ts'
import type { ColumnKind, Table } from '../../../database/table.ts'

/** The kind of each column, by the names of table and column. */
export type ColumnKinds = ReadonlyMap<string, ReadonlyMap<string, ColumnKind>>

/** Names of the kinds in place of types: SQLite accepts any type name, and tells it again. */
const prefix = 'kind_'
const namedTypes: ColumnTypes = {
  ...(Object.fromEntries(
    Object.keys(columnTypes.sqlite).map((kind) => [kind, `${prefix}${kind}`]),
  ) as unknown as ColumnTypes), // a name for each kind
  clustered: columnTypes.sqlite.clustered,
}

/** The kinds of columns whose migration names a type of SQLite, by the first word of the type. */
const kindsOfTypes: Readonly<Record<string, ColumnKind>> = {
  INTEGER: 'integer',
  BOOLEAN: 'boolean',
  DECIMAL: 'price',
  BLOB: 'bytes',
}

/** @param declared tables whose migrations are in files, which name types of SQLite */
export async function readColumnKinds(
  migrations: readonly Migration[],
  declared: readonly Table[],
): Promise<ColumnKinds> {
  await using database = openSqliteExclusively(':memory:')
  await migrate(database, migrations, { types: namedTypes })
  const sql = `SELECT m.name AS name, c.name AS "column", c.type AS type
    FROM sqlite_schema m, pragma_table_xinfo(m.name) c WHERE m.type = 'table'`
  const kinds = new Map<string, Map<string, ColumnKind>>()
  for (const { name, column, type } of (await database.executor.run(sql, [], false)).rows) {
    const columns = kinds.get(String(name)) ?? new Map<string, ColumnKind>()
    kinds.set(String(name), columns.set(String(column), kindOf(String(type))))
  }
  for (const { name, columns } of declared)
    for (const column of columns) kinds.get(name)?.set(column.name, column.kind)
  return kinds
}

function kindOf(type: string): ColumnKind {
  if (type.startsWith(prefix)) return type.slice(prefix.length) as ColumnKind // as `namedTypes` has it
  return kindsOfTypes[/^\w*/.exec(type.toUpperCase())?.[0] ?? ''] ?? 'text'
}
