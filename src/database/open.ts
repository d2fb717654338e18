import { existsSync, statSync } from 'node:fs'
import type { Database } from './executor.ts'
import { dropPostgresDatabase, ensurePostgresDatabase, postgresDatabaseExists } from './postgres/connect.ts'
import { openPostgres, type PostgresOptions } from './postgres/postgres-database.ts'
import { openEmpty, openSqliteReadOnly } from './sqlite/read-only.ts'
import { openSqliteWhenFree } from './sqlite/sqlite-database.ts'
import type { DatabaseTarget, PostgresTarget } from './target.ts'

/** Waits, without blocking other work, for a file that another process holds. @throws DatabaseUnavailable */
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

/** A task with plans of its own needs sessions of its own: those of a pooler have the plans of the service. */
function openServer({ url, directUrl }: PostgresTarget, options: PostgresOptions): Database {
  if (directUrl === undefined) return openPostgres(url, options)
  return options.byIndex === true
    ? openPostgres(directUrl, options)
    : openPostgres(url, { ...options, directUrl })
}

function serverUrl({ url, directUrl = url }: PostgresTarget): string {
  return directUrl
}

/** Whether there is a database. An empty file is none: SQLite would fill it. @throws DatabaseUnavailable */
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
