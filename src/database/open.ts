import { resolve } from 'node:path'
import type { Database, Executor } from './executor.ts'
import { ensurePostgresDatabase } from './postgres/create.ts'
import { openPostgres, type PostgresOptions } from './postgres/postgres-database.ts'
import { openSqlite } from './sqlite/sqlite-database.ts'

/** Where a database is. The file of SQLite is created when it is opened. */
export type DatabaseTarget = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string }

export function openDatabase(target: DatabaseTarget, options: PostgresOptions): Database {
  return target.kind === 'sqlite' ? openSqlite(target.path) : openPostgres(target.url, options)
}

/** Creates a PostgreSQL database that does not exist yet. @throws DatabaseUnavailable */
export async function createDatabase(
  target: DatabaseTarget,
  { budget }: Pick<PostgresOptions, 'budget'> = {},
): Promise<void> {
  if (target.kind !== 'postgres') return
  const create = () => ensurePostgresDatabase(target.url)
  await (budget === undefined ? create() : budget.during(create))
}

/** @param url the setting DATABASE_URL: `sqlite:<file>` or `postgres://…` */
export function parseDatabaseUrl(url: string): DatabaseTarget {
  return url.startsWith('sqlite:')
    ? { kind: 'sqlite', path: resolve(url.slice('sqlite:'.length)) }
    : { kind: 'postgres', url }
}

/** @throws DatabaseUnavailable */
export async function ping(executor: Executor): Promise<void> {
  await executor.run('SELECT 1', [], true)
}
