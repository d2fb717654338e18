/** An empty database, opened as the service opens it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../../src/database/executor.ts'
import { openPostgres } from '../../../src/database/postgres/postgres-database.ts'
import { openSqlite } from '../../../src/database/sqlite/sqlite-database.ts'
import { parseDatabaseUrl } from '../../../src/database/target.ts'
import { createPostgresDatabase, type DatabaseName } from '../databases.ts'

export interface OpenedDatabase {
  url: string
  /** Opens the database once more, as another process would. */
  open(): Database
  drop(): Promise<void>
}

export async function newDatabase(name: DatabaseName): Promise<OpenedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-database-'))
  const postgres = name === 'postgres' ? await createPostgresDatabase() : null
  const url = postgres?.url ?? `sqlite:${join(folder, 'test.db')}`
  const options = { maxConnections: 5, connectTimeoutMs: 5000, statementTimeoutMs: 30_000 }
  const opened: Database[] = []
  return {
    url,
    open: () => {
      const target = parseDatabaseUrl(url)
      const database = target.kind === 'sqlite' ? openSqlite(target.path) : openPostgres(target.url, options)
      opened.push(database)
      return database
    },
    drop: async () => {
      for (const database of opened) await database.close()
      await postgres?.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
