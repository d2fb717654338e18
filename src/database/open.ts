/** Opens, inspects, creates and drops databases of both kinds. */
import { existsSync, statSync } from 'node:fs'
import type { Database } from './executor.ts'
import { dropPostgresDatabase, ensurePostgresDatabase, postgresDatabaseExists } from './postgres/connect.ts'
import { openPostgres, type PostgresOptions } from './postgres/postgres-database.ts'
import { openEmpty, openSqliteReadOnly } from './sqlite/read-only.ts'
import { openSqliteWhenFree } from './sqlite/sqlite-database.ts'
import type { DatabaseTarget, PostgresTarget } from './target.ts'

/** Waits for a file that another process has locked, without blocking other work. @throws DatabaseUnavailable */
export async function openDatabase(target: DatabaseTarget, options: PostgresOptions): Promise<Database> {
  return target.kind === 'sqlite' ? openSqliteWhenFree(target.path) : openServer(target, options)
}

/** Opens a database without creating it. @returns an empty database if there is none @throws DatabaseUnavailable */
export async function openForInspection(
  target: DatabaseTarget,
  options: PostgresOptions,
): Promise<{ database: Database; exists: boolean }> {
  const isFile = target.kind === 'sqlite'
  const exists = isFile ? existsSync(target.path) : await postgresDatabaseExists(serverUrl(target))
  if (!exists) return { database: openEmpty(), exists }
  return { database: isFile ? openSqliteReadOnly(target.path) : openServer(target, options), exists }
}

/**
 * Connects through the pooler (`url`) unless `byIndex` is set: that option makes plans that differ from those of the
 * service, so that its sessions must not be shared with the service by a pooler.
 */
function openServer({ url, directUrl }: PostgresTarget, options: PostgresOptions): Database {
  if (directUrl === undefined) return openPostgres(url, options)
  return options.byIndex === true
    ? openPostgres(directUrl, options)
    : openPostgres(url, { ...options, directUrl })
}

function serverUrl({ url, directUrl = url }: PostgresTarget): string {
  return directUrl
}

/** Whether there is a database. An empty file counts as none. @throws DatabaseUnavailable */
export async function databaseExists(
  target: DatabaseTarget,
  { budget }: Pick<PostgresOptions, 'budget'> = {},
): Promise<boolean> {
  if (target.kind === 'sqlite') return (statSync(target.path, { throwIfNoEntry: false })?.size ?? 0) > 0
  const exists = () => postgresDatabaseExists(serverUrl(target))
  return budget === undefined ? exists() : budget.reserveDuring(exists)
}

/** Creates a PostgreSQL database if it does not exist. @throws DatabaseUnavailable */
export async function createDatabase(
  target: DatabaseTarget,
  { budget }: Pick<PostgresOptions, 'budget'> = {},
): Promise<void> {
  if (target.kind !== 'postgres') return
  const create = () => ensurePostgresDatabase(serverUrl(target))
  await (budget === undefined ? create() : budget.reserveDuring(create))
}

/** Drops a PostgreSQL database, although clients are connected to it. @throws DatabaseUnavailable */
export async function dropDatabase(target: DatabaseTarget): Promise<void> {
  if (target.kind === 'postgres') await dropPostgresDatabase(serverUrl(target))
}
