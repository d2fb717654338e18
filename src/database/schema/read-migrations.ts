/** Reads and writes the migrations of an application: numbered files, and a snapshot of the tables that they make. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Migration } from '../migration.ts'
import type { Table } from '../table.ts'
import { MigrationFileError } from './failure.ts'
import { type MigrationContent, migrationText, readMigration } from './migration-file.ts'
import { readSnapshot, snapshotText } from './snapshot.ts'

export interface Migrations {
  folder: string
  migrations: readonly Migration[]
  /** The tables that the migrations make. */
  snapshot: readonly Table[]
}

const snapshotName = 'snapshot.json'
/** The first number is 0001. */
const numbered = /^(?!0000)(\d{4})-[a-z\d-]+\.sql$/

/**
 * @param folder with files such as `0001-create-invoice.sql`; it need not exist before the first is written
 * @throws MigrationFileError
 */
export function readMigrations(folder: string | URL): Migrations {
  const path = typeof folder === 'string' ? folder : fileURLToPath(folder)
  const files = existsSync(path)
    ? readdirSync(path)
        .filter((name) => name.endsWith('.sql'))
        .toSorted()
    : []
  for (const [place, file] of files.entries()) requireNumber(path, file, place + 1, files[place - 1])
  const migrations = files.map((file) =>
    reading(path, file, (text) => readMigration(file.slice(0, -'.sql'.length), text)),
  )
  const hasSnapshot = existsSync(join(path, snapshotName))
  if (!hasSnapshot && files.length > 0)
    throw new MigrationFileError(`${join(path, snapshotName)} is missing, although there are migrations.`)
  const snapshot = hasSnapshot ? reading(path, snapshotName, readSnapshot) : []
  return { folder: path, migrations, snapshot }
}

function requireNumber(folder: string, file: string, wanted: number, previous: string | undefined): void {
  const [, digits] = numbered.exec(file) ?? []
  const path = join(folder, file)
  if (digits === undefined)
    throw new MigrationFileError(`${path}: the name of a migration is like 0001-create-invoice.sql.`)
  if (Number(digits) < wanted)
    throw new MigrationFileError(`${path} has the number of ${previous}: give one of them the next number.`)
  if (Number(digits) > wanted)
    throw new MigrationFileError(`${path}: there is no migration ${numberText(wanted)} before it.`)
}

function reading<T>(folder: string, file: string, read: (text: string) => T): T {
  try {
    return read(readFileSync(join(folder, file), 'utf8'))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new MigrationFileError(`${join(folder, file)}: ${error.message}.`, { cause: error })
  }
}

/** @param name in words with hyphens @returns the path of the new migration */
export function writeMigration(
  { folder, migrations }: Migrations,
  name: string,
  content: MigrationContent,
  tables: readonly Table[],
): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${numberText(migrations.length + 1)}-${name}.sql`)
  const snapshot = join(folder, snapshotName)
  // Both files are written before either gets its final name, so that a failed write leaves neither.
  writeFileSync(`${path}.new`, migrationText(content))
  writeFileSync(`${snapshot}.new`, snapshotText(tables))
  renameSync(`${path}.new`, path)
  renameSync(`${snapshot}.new`, snapshot)
  return path
}

function numberText(number: number): string {
  return String(number).padStart(4, '0')
}
