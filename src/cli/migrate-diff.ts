/** Migrations in files: written from the definitions, and compared with them. No database is opened. */
import { relative } from 'node:path'
import { isEmpty } from '../database/schema/change.ts'
import { compareTables } from '../database/schema/compare.ts'
import { describeCosts } from '../database/schema/cost.ts'
import { type Decisions, readDecisions } from '../database/schema/decisions.ts'
import { describeChange, nameOfChange } from '../database/schema/describe.ts'
import { UndecidedChange } from '../database/schema/failure.ts'
import { postgresStatements } from '../database/schema/postgres-statements.ts'
import { type Migrations, writeMigration } from '../database/schema/read-migrations.ts'
import { sqliteStatements } from '../database/schema/sqlite-statements.ts'
import { builtInDefinitions } from '../service/built-in-definitions.ts'
import { requireOwnNames } from '../service/built-in-names.ts'
import { declaredTables, howToGiveMigrations, requireMigrations } from '../service/declared-tables.ts'
import type { ServiceOptions } from '../service/service-options.ts'
import { type Arguments, print, UsageError } from './command.ts'
import type { Surroundings } from './surroundings.ts'

type Definitions = ServiceOptions & { migrations: Migrations }

/** @returns the exit code 0 @throws UndecidedChange, UsageError */
export async function writeDiff(
  given: Arguments,
  options: ServiceOptions,
  { folder, output }: Surroundings,
): Promise<number> {
  const { features, migrations } = definitionsOf(options)
  const tables = declaredTables(features)
  const { change, questions } = compareTables(migrations.snapshot, tables, decisionsOf(given))
  if (questions.length > 0) throw new UndecidedChange(questions)
  if (isEmpty(change)) {
    print(output, 'The definitions are those of the snapshot: there is nothing to write.')
    return 0
  }
  const name = fileName(given.options['name'] ?? nameOfChange(change))
  const statements = { sqlite: sqliteStatements(change), postgres: postgresStatements(change) }
  const path = writeMigration(migrations, name, statements, tables)
  for (const line of [...describeChange(change), ...describeCosts(change, statements)]) print(output, line)
  print(output, `Written: ${relative(folder, path)} and the snapshot beside it. Read and commit both.`)
  return 0
}

/** @returns the exit code 0 @throws TablesDiffer, UsageError */
export async function checkDefinitions(
  options: ServiceOptions,
  { output }: Pick<Surroundings, 'output'>,
): Promise<number> {
  requireMigrations(definitionsOf(options))
  print(output, 'The definitions are those of the snapshot.')
  return 0
}

/** @throws ApplicationError; UsageError for the plain command line of an installed package, which has no definitions of an application */
function definitionsOf(options: ServiceOptions): Definitions {
  const { features = [], migrations } = options
  requireOwnNames(options)
  if (migrations !== undefined) return { features, migrations }
  if (features.length > 0) throw new UsageError(`There are no migrations: ${howToGiveMigrations}.`)
  const builtIn = builtInDefinitions()
  if (builtIn !== null) return builtIn
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
