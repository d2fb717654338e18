/** Opens connections to PostgreSQL; creates, finds and drops databases on its server. */
import pg from 'pg'
import { DatabaseUnavailable } from '../executor.ts'
import { errorCode } from '../thrown.ts'
import { driverConfig, hostUrls, wantedServer, withDatabase } from './connection-url.ts'
import { translate } from './failure.ts'

export interface ConnectionConfig extends pg.ClientConfig {
  connectionString: string
}

/**
 * Connects to the first host that answers and is of the wanted kind, such as a primary server. Errors that no server
 * has sent, such as those of DNS, sockets or certificates, become `DatabaseUnavailable`.
 * @throws DatabaseUnavailable, pg.DatabaseError
 */
export async function openClient(config: ConnectionConfig): Promise<pg.Client> {
  const wanted = wantedServer(config.connectionString)
  const hosts = hostUrls(config.connectionString)
  if (demanded.has(wanted)) return openFirst(config, hosts, wanted)
  // `prefer-standby` takes any server where none is a standby: all hosts are tried again, as by libpq.
  return openFirst(config, hosts, 'standby').catch(() => openFirst(config, hosts, 'any'))
}

/** The values of `target_session_attrs` that a server has to meet. */
const demanded: ReadonlySet<string> = new Set(['any', 'read-write', 'read-only', 'primary', 'standby'])

/** @param wanted one of `demanded` */
async function openFirst(
  config: ConnectionConfig,
  hosts: readonly string[],
  wanted: string,
): Promise<pg.Client> {
  let failure: unknown
  for (const connectionString of hosts) {
    const client = new pg.Client({ ...config, connectionString })
    client.on('error', () => undefined) // the running call fails with the same error
    try {
      await client.connect()
      if (await isWanted(client, wanted)) return client
      failure ??= new DatabaseUnavailable(`No PostgreSQL server of the address is ${wanted}.`)
    } catch (error) {
      if (isFinal(error)) failure = error
      else failure ??= error
    }
    client.end().catch(() => undefined)
    if (isFinal(failure)) break
  }
  throw failure instanceof pg.DatabaseError || failure instanceof DatabaseUnavailable
    ? failure
    : new DatabaseUnavailable('PostgreSQL cannot be reached.', failure)
}

/** Whether another host would answer alike. A server that starts or stops is passed over, as by libpq. */
function isFinal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^57P/.test(error.code ?? '')
}

/** @param wanted one of `demanded` */
async function isWanted(client: pg.Client, wanted: string): Promise<boolean> {
  if (wanted === 'any') return true
  const text =
    "SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS locked"
  const query = withTimeout(text, connectTimeoutMs)
  const { rows } = await client.query<{ standby: boolean; locked: boolean }>(query)
  const { standby = false, locked = false } = rows[0] ?? {}
  switch (wanted) {
    case 'read-write':
      return !locked
    case 'read-only':
      return locked
    case 'primary':
      return !standby
    default:
      return standby
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
    if (errorCode(error) === databaseMissing) return false
    throw translate(error)
  }
}

async function createFromMaintenance(url: string): Promise<void> {
  try {
    await inMaintenance(url, (name) => `CREATE DATABASE ${name}`)
  } catch (error) {
    // Another instance may have created it meanwhile.
    if (errorCode(error) !== databaseExists) throw translate(error)
  }
}

/** Drops the database, and disconnects its clients before. @throws DatabaseUnavailable */
export async function dropPostgresDatabase(url: string): Promise<void> {
  try {
    await inMaintenance(url, (name) => `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  } catch (error) {
    throw translate(error)
  }
}

/** Runs a statement on the database of the address, from the database `postgres` of its server. */
async function inMaintenance(url: string, statement: (name: string) => string): Promise<void> {
  const { database } = driverConfig(hostUrls(url)[0] ?? url)
  await connectOnce(withDatabase(url, 'postgres'), (client) =>
    client.query(statement(pg.escapeIdentifier(database))),
  )
}

async function connectOnce(url: string, use: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = await openClient({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs })
  try {
    await use(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** @returns a query with a time-out of its own, which the driver supports although its types do not say so */
export function withTimeout(text: string, timeoutMs: number): pg.QueryConfig & { query_timeout: number } {
  return { text, query_timeout: timeoutMs }
}
