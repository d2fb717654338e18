import pg from 'pg'
import { DatabaseUnavailable } from '../executor.ts'
import { translate } from './failure.ts'

/**
 * Connects. An error that the server did not send concerns the way to it: names, descriptors, sockets, certificates.
 * @throws DatabaseUnavailable, pg.DatabaseError
 */
export async function connect(client: pg.Client): Promise<void> {
  try {
    await client.connect()
  } catch (error) {
    throw error instanceof pg.DatabaseError
      ? error
      : new DatabaseUnavailable('PostgreSQL cannot be reached.', error)
  }
}

const connectTimeoutMs = 5000
const databaseMissing = '3D000'
const databaseExists = '42P04'

/** Creates the database of the address from the server's database `postgres`, if it does not exist. */
export async function ensurePostgresDatabase(url: string): Promise<void> {
  if (!(await postgresDatabaseExists(url))) await createFromMaintenance(url)
}

/** @throws DatabaseUnavailable when the server cannot be reached */
export async function postgresDatabaseExists(url: string): Promise<boolean> {
  try {
    await connectOnce(url, async () => undefined)
    return true
  } catch (error) {
    if (codeOf(error) === databaseMissing) return false
    throw translate(error)
  }
}

async function createFromMaintenance(url: string): Promise<void> {
  try {
    await inMaintenance(url, (name) => `CREATE DATABASE ${name}`)
  } catch (error) {
    // Another instance may have created it meanwhile.
    if (codeOf(error) !== databaseExists) throw translate(error)
  }
}

/** Disconnects its clients. @throws DatabaseUnavailable */
export async function dropPostgresDatabase(url: string): Promise<void> {
  try {
    await inMaintenance(url, (name) => `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  } catch (error) {
    throw translate(error)
  }
}

/** Runs a statement on the database of the address, from the database `postgres` of its server. */
async function inMaintenance(url: string, statement: (name: string) => string): Promise<void> {
  const maintenance = new URL(url)
  const name = new pg.Client({ connectionString: url }).database ?? '' // as the driver reads it
  maintenance.pathname = '/postgres'
  await connectOnce(maintenance.href, (client) => client.query(statement(pg.escapeIdentifier(name))))
}

async function connectOnce(url: string, use: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs })
  client.on('error', () => undefined) // the running call fails with the same error
  try {
    await connect(client)
    await use(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
