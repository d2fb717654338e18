/** The two databases of the tests. */
import { randomBytes } from 'node:crypto'
import { describe } from 'node:test'
import { type PostgresServer, startPostgres } from './database/postgres-server.ts'
import { queryServer } from './database/query-server.ts'
import { triesAll, turnOfFile } from './run/extent.ts'

export type DatabaseName = 'sqlite' | 'postgres'

const databaseNames: readonly DatabaseName[] = ['sqlite', 'postgres']

/**
 * Declares the tests of `suite` once for each database.
 * @param concurrency of the tests of one, where a suite around them lets both go on side by side
 */
export function onEachDatabase(
  title: string,
  suite: (database: DatabaseName) => void,
  concurrency?: number,
): void {
  for (const database of databaseNames) {
    describe(`${title} on ${database}`, concurrency === undefined ? {} : { concurrency }, () =>
      suite(database),
    )
  }
}

/**
 * Declares the tests of `suite` for one of the databases, by turns, and in `npm run test:all` for both: what stands
 * above the interface of the database does not know which one answers.
 * @param turn of the suite, where those of one file take turns among themselves too
 */
export function onEitherDatabase(title: string, suite: (database: DatabaseName) => void, turn = 0): void {
  for (const database of triesAll ? databaseNames : [databaseOfTurn(turn)])
    describe(`${title} on ${database}`, () => suite(database))
}

/** Whether a suite of `onEachDatabase` tries on this one what stands above the interface of the database, as above. */
export function takesTurn(database: DatabaseName, turn = 0): boolean {
  return triesAll || database === databaseOfTurn(turn)
}

function databaseOfTurn(turn: number): DatabaseName {
  return (turnOfFile() + turn) % 2 === 0 ? 'sqlite' : 'postgres'
}

let own: Promise<PostgresServer> | null = null

/** A database with the tables of the service, if the run has made one: copying it costs less than migrating. */
export const migratedTemplate = process.env['TEST_POSTGRES_TEMPLATE']

/** The same as a file. */
export const migratedFile = process.env['TEST_SQLITE_TEMPLATE']

/**
 * A database of its own on the PostgreSQL server of the run; a test file alone starts its own server.
 * @param template the database that is copied; an empty one if absent
 */
export async function createPostgresDatabase(
  template = 'template1',
): Promise<{ url: string; drop(): Promise<void> }> {
  const serverUrl = await postgresServerUrl()
  const name = `test_${randomBytes(6).toString('hex')}`
  await queryServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: async () => void (await queryServer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  }
}

export async function postgresServerUrl(): Promise<string> {
  const given = process.env['TEST_POSTGRES_URL']
  if (given !== undefined) return given
  own ??= startPostgres() // it goes when this process does
  return (await own).url
}
