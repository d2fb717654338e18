/** What a SQLite file is made of, held against what the migrations make: an archive may come from anybody. */
import { type Migration, migrate } from '../migration.ts'
import { openSqliteAlone } from '../sqlite/alone.ts'
import { lookInto } from '../sqlite/existing-file.ts'
import { noteTable } from './note.ts'

/** Of a row or a value in an archive: more than bodies usually may have. Larger ones would fill the memory. */
export const maxArchivedBytes = 64 * 1024 * 1024

/** Tables of SQLite's own, and the indexes that it makes of constraints, are left out. */
const objects = `SELECT type, name, sql FROM sqlite_schema
  WHERE sql IS NOT NULL AND NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4', 'sqlite_sequence'))`

/**
 * Reads no row, and runs nothing that the file has in it: triggers, views, checks and computed columns of a stranger.
 * @param migrations those that the file says it has
 * @returns the names of what is not as the migrations make it, or is missing
 */
export async function foreignObjects(path: string, migrations: readonly Migration[]): Promise<string[]> {
  const expected = await objectsMadeBy(migrations)
  const file = lookInto(path, maxArchivedBytes)
  try {
    const found = new Map(file.prepare(objects).all().map(entryOf))
    const foreign = [...found].filter(([name, sql]) => expected.get(name) !== sql)
    const missing = [...expected].filter(([name]) => !found.has(name))
    return [...foreign, ...missing].map(([name]) => name)
  } finally {
    file.close()
  }
}

async function objectsMadeBy(migrations: readonly Migration[]): Promise<Map<string, string>> {
  const database = openSqliteAlone(':memory:')
  try {
    await migrate(database, migrations)
    await database.executor.run(noteTable, [], false)
    const { rows } = await database.executor.run(objects, [], false)
    return new Map(rows.map(entryOf))
  } finally {
    await database.close()
  }
}

function entryOf({ type, name, sql }: Record<string, unknown>): [string, string] {
  return [`${String(type)} ${String(name)}`, String(sql)]
}
