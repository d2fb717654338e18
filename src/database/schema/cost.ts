/** Estimates the cost of a migration's statement on a large table, from its text. */
import type { Dialect } from '../executor.ts'
import type { SchemaChange } from './change.ts'

/** `read`, `copy` and `rewrite` concern every row of a table; `instant` none. */
export type Cost = 'instant' | 'read' | 'copy' | 'rewrite'

const meanings: Record<Dialect, string> = {
  sqlite: 'Where a statement is not instant, writes to the database wait as long as it takes.',
  postgres: 'Where a statement is not instant, requests to the table wait until the migration ends.',
}

/**
 * The first pattern that matches a statement gives its cost. Other statements change only the schema and are
 * instant.
 */
const costs: Record<Dialect, readonly (readonly [pattern: RegExp, cost: Cost])[]> = {
  sqlite: [
    [/^INSERT INTO "\w+__new"/, 'copy'],
    [/^INSERT INTO "sequence"/, 'read'],
    [/^CREATE (?:UNIQUE )?INDEX/, 'read'],
    [/^DROP (?:TABLE|INDEX)/, 'read'],
  ],
  postgres: [
    [/ ALTER COLUMN "\w+" TYPE (?!text)/, 'rewrite'],
    [/ ALTER COLUMN "\w+" TYPE text(?: COLLATE "C")? USING CAST/, 'rewrite'],
    [/^UPDATE (?!"sequence")/, 'rewrite'],
    [/^INSERT INTO "sequence"/, 'read'],
    [/ ALTER COLUMN "\w+" (?:SET NOT NULL|TYPE)/, 'read'],
    [/^ALTER TABLE "\w+" ADD CONSTRAINT/, 'read'],
    [/^(?:DO \$\$ [\s\S]*)?CREATE (?:UNIQUE )?INDEX/, 'read'],
  ],
}

/** @param created names of tables that the migration creates: they have no rows */
export function costOf(statement: string, dialect: Dialect, created: ReadonlySet<string>): Cost {
  const table = /\bON "(\w+)"/.exec(statement)?.[1] ?? /"(\w+)"/.exec(statement)?.[1] ?? ''
  if (created.has(table)) return 'instant'
  return costs[dialect].find(([pattern]) => pattern.test(statement))?.[1] ?? 'instant'
}

const titles: Record<Dialect, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
const maxLength = 80
/** Statements that concern no table of the application: they are not listed. */
const besides = /^(?:PRAGMA |ANALYZE sqlite_schema|(?:DELETE FROM|INSERT INTO) sqlite_stat1)/

/** @returns a line for each statement, on both databases; none for a change that only creates tables */
export function describeCosts(
  { created, dropped, changed }: SchemaChange,
  statements: Readonly<Record<Dialect, readonly string[]>>,
): string[] {
  if (changed.length + dropped.length === 0) return []
  const names = new Set(created.map(({ name }) => name))
  return (['sqlite', 'postgres'] as const).flatMap((dialect) => {
    const run = statements[dialect].filter((statement) => !besides.test(statement))
    const lines = run.map((statement) => {
      const cost = costOf(statement, dialect, names)
      return { cost, line: `  ${cost.padEnd('rewrite'.length)}  ${shortened(statement)}` }
    })
    const isInstant = lines.every(({ cost }) => cost === 'instant')
    return [
      `On ${titles[dialect]}:`,
      ...lines.map(({ line }) => line),
      ...(isInstant ? [] : [`  ${meanings[dialect]}`]),
    ]
  })
}

function shortened(statement: string): string {
  const line = statement.replaceAll(/\s+/g, ' ')
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line
}
