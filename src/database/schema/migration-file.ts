/** Reads and writes a migration as a file of plain SQL, with a section for each database. */
import type { Dialect } from '../executor.ts'
import type { Migration } from '../migration.ts'
import { splitStatements } from './split-statements.ts'

const sections = { sqlite: '-- sqlite', postgres: '-- postgres' } as const satisfies Record<Dialect, string>

const oldestVersion = /^-- oldest version: (\d+\.\d+\.\d+)$/

export interface MigrationContent {
  statements: Readonly<Record<Dialect, readonly string[]>>
  /** The oldest version of Tenantry that works on the tables; `null`: any version does. */
  oldestVersion: string | null
}

export function migrationText({ statements, oldestVersion: oldest }: MigrationContent): string {
  const section = (dialect: Dialect) =>
    [sections[dialect], ...statements[dialect].map((statement) => `${statement};`)].join('\n\n')
  const first = oldest === null ? '' : `-- oldest version: ${oldest}\n\n`
  return `${first}${section('sqlite')}\n\n${section('postgres')}\n`
}

/** @param name of the migration @throws Error for a text without its sections */
export function readMigration(name: string, text: string): Migration {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const places = [sections.sqlite, sections.postgres].map((heading) => {
    const found = lines.flatMap((line, place) => (line.trim() === heading ? [place] : []))
    if (found.length !== 1)
      throw new Error(`it must have the line "${heading}" once, before the statements for it`)
    return found[0] ?? 0
  })
  const [sqlite = 0, postgres = 0] = places
  const between = (begin: number) =>
    lines.slice(
      begin + 1,
      [...places, lines.length].filter((place) => place > begin).toSorted((a, b) => a - b)[0],
    )
  const before = splitStatements(lines.slice(0, Math.min(sqlite, postgres)).join('\n'), 'sqlite')
  if (before.length > 0) throw new Error(`it has statements before the line "${sections.sqlite}"`)
  const ofSqlite = splitStatements(between(sqlite).join('\n'), 'sqlite')
  const oldest = lines
    .slice(0, Math.min(sqlite, postgres))
    .flatMap((line) => oldestVersion.exec(line)?.[1] ?? [])[0]
  const statements = {
    sqlite: ofSqlite.filter((statement) => !isForeignKeysOff(statement)),
    postgres: splitStatements(between(postgres).join('\n'), 'postgres'),
  }
  return {
    name,
    database: 'tenant',
    statements: (_types, dialect) => statements[dialect],
    ...(oldest !== undefined && { oldestVersion: oldest }),
    ...(ofSqlite.some(isForeignKeysOff) && { replacesTables: true }),
  }
}

function isForeignKeysOff(statement: string): boolean {
  return /^PRAGMA\s+foreign_keys\s*=\s*OFF$/i.test(statement)
}
