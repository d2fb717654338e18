/** The schema and the rows of a database, in forms that are equal for equal databases. */
import assert from 'node:assert/strict'
import { formerTables } from '../../src/database/migrate/before-release.ts'
import { type Ask, type Cells, inspectEach } from '../support/database/inspect.ts'
import { schemaStatements } from './postgres-text.ts'

/** The rows of each table. */
export type Content = Map<string, Cells[]>

/** An instance reports itself at any time; migrations are noted otherwise than before. */
const omitted = ['instance', 'migration']

export async function schemaOf(url: string): Promise<string[]> {
  if (!url.startsWith('sqlite:')) return schemaStatements(url)
  return inspectEach(url, async (ask) => {
    const objects = await ask('SELECT type, name, tbl_name, sql FROM sqlite_schema')
    // Plans follow what the migrations say of the size of tables.
    const sizes = await ask('SELECT * FROM sqlite_stat1')
    return [...objects, ...sizes].map((each) => JSON.stringify(each)).toSorted()
  })
}

export function contentOf(url: string): Promise<Content> {
  return inspectEach(url, async (ask) => {
    const content: Content = new Map()
    for (const table of await tablesOf(url, ask)) {
      if (!omitted.includes(table)) content.set(table, await ask(`SELECT * FROM "${table}"`))
    }
    return content
  })
}

async function tablesOf(url: string, ask: Ask): Promise<string[]> {
  const names = url.startsWith('sqlite:')
    ? "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'"
  return (await ask(names)).map(({ name }) => String(name))
}

/** Asserts that each row is there with what it had before, and that no row has come. */
export function assertKept(after: Content, before: Content): void {
  assert.ok(before.size > 10)
  const newNames = new Map(Object.entries(formerTables).map(([name, former]) => [former, name]))
  for (const [former, rows] of before) {
    const table = newNames.get(former) ?? former
    const present = after.get(table) ?? []
    const kept = new Set(Object.keys(present[0] ?? {}))
    assert.deepEqual(textsOf(present, new Set(Object.keys(rows[0] ?? {}))), textsOf(rows, kept), table)
  }
}

/** @param columns that count */
function textsOf(rows: readonly Cells[], columns: ReadonlySet<string>): string[] {
  const texts = rows.map((row) =>
    JSON.stringify(
      Object.entries(row)
        .filter(([name]) => columns.has(name))
        .toSorted(),
    ),
  )
  return texts.toSorted()
}
