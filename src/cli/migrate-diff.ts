/** Migrations in files: written from the definitions, and compared with them. No database is opened. */
import { relative } from 'node:path'
import { isEmpty, type SchemaChange } from '../database/schema/change.ts'
import { describeCosts } from '../database/schema/cost.ts'
import { type Decisions, readDecisions } from '../database/schema/decisions.ts'
import { describeChange, nameOfChange } from '../database/schema/describe.ts'
import { UndecidedChange } from '../database/schema/failure.ts'
import { postgresStatements } from '../database/schema/postgres-statements.ts'
import { writeMigration } from '../database/schema/read-migrations.ts'
import { sqliteStatements } from '../database/schema/sqlite-statements.ts'
import { requireOwnNames } from '../service/built-in-names.ts'
import { declaredTables, howToGiveMigrations, requireSnapshot } from '../service/declared-tables.ts'
import { builtInDefinitions, changeIn, compareDefinitions, type Definitions } from '../service/definitions.ts'
import type { ServiceOptions } from '../service/service-options.ts'
import { type Arguments, print, UsageError } from './command.ts'
import type { Surroundings } from './surroundings.ts'

/** @returns the exit code 0 @throws UndecidedChange, UsageError */
export async function writeDiff(
  given: Arguments,
  options: ServiceOptions,
  { folder, output }: Surroundings,
): Promise<number> {
  const all = definitionsOf(options)
  const { change, questions } = compareDefinitions(all, decisionsOf(given))
  if (questions.length > 0) throw new UndecidedChange(questions)
  if (isEmpty(change)) print(output, 'The definitions are those of the snapshot: there is nothing to write.')
  for (const definitions of all) {
    const own = changeIn(definitions, change)
    if (isEmpty(own)) continue
    const { lines, path } = writeChange(definitions, own, given.options['name'] ?? nameOfChange(own))
    for (const line of lines) print(output, line)
    print(output, `Written: ${relative(folder, path)} and the snapshot beside it. Read and commit both.`)
  }
  return 0
}

/** @returns what the command says of the change, and the path of the migration */
function writeChange(
  { tables, migrations, oldestVersion }: Definitions,
  change: SchemaChange,
  words: string,
) {
  const statements = { sqlite: sqliteStatements(change), postgres: postgresStatements(change) }
  const path = writeMigration(migrations, fileName(words), { statements, oldestVersion }, tables)
  return { lines: [...describeChange(change), ...describeCosts(change, statements)], path }
}

/** @returns the exit code 0 @throws TablesDiffer, UsageError */
export async function checkDefinitions(
  options: ServiceOptions,
  { output }: Pick<Surroundings, 'output'>,
): Promise<number> {
  for (const { tables, migrations } of definitionsOf(options)) requireSnapshot(tables, migrations)
  print(output, 'The definitions are those of the snapshot.')
  return 0
}

/** @throws ApplicationError; UsageError for the plain command line of an installed package, which has no definitions of an application */
function definitionsOf(options: ServiceOptions): Definitions[] {
  const { features = [], migrations } = options
  requireOwnNames(options)
  if (migrations !== undefined) return [{ tables: declaredTables(features), migrations, oldestVersion: null }]
  if (features.length > 0) throw new UsageError(`There are no migrations: ${howToGiveMigrations}.`)
  const builtIn = builtInDefinitions()
  if (builtIn.length > 0) return builtIn
  throw new UsageError(
    'The plain tenantry has no definitions: name the features of your application in tenantry.config.ts, or run its own command line.',
  )
}

function decisionsOf({ lists }: Arguments): Decisions {
  try {
    return readDecisions(lists['rename'] ?? [], lists['drop'] ?? [], lists['fill'] ?? [])
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new UsageError(error.message)
  }
}

function fileName(words: string): string {
  const name = words
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')
  if (/^[a-z\d]+(?:-[a-z\d]+)*$/.test(name)) return name
  throw new UsageError('--name takes words of letters and digits, such as invoice-add-sku.')
}
