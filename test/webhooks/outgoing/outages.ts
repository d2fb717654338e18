/** Each database is away for a while, under load and without a restart. */
import { DatabaseSync } from 'node:sqlite'
import { inspect } from '../../support/database/inspect.ts'
import type { Store } from '../../support/database/store.ts'
import { Wire } from '../../support/database/wire.ts'
import { createPostgresDatabase, type DatabaseName } from '../../support/databases.ts'
import { endureOutage, type Outage } from './endurance.ts'

/** @param ms on SQLite, writers wait for up to five seconds and are then refused */
export async function endureOutageOf(database: DatabaseName, ms: number) {
  if (database === 'sqlite') return endureOutage(database, {}, (store) => lockFile(store, ms))
  const postgres = await createPostgresDatabase()
  const wire = await Wire.to(postgres.url)
  try {
    return await endureOutage('sqlite', { DATABASE_URL: wire.url }, () => ({
      ms,
      begin: () => wire.cut(),
      end: () => wire.mend(),
      rows: (sql) => inspect(postgres.url, sql),
    }))
  } finally {
    await wire.cut()
    await postgres.drop()
  }
}

/** No other process can write meanwhile. */
function lockFile({ settings, rows }: Store, ms: number): Outage {
  const file = (settings['DATABASE_URL'] ?? '').slice('sqlite:'.length)
  const connection = new DatabaseSync(file, { timeout: 5000 })
  return {
    ms,
    rows,
    begin: async () => connection.exec('BEGIN IMMEDIATE'),
    end: async () => {
      connection.exec('ROLLBACK')
      connection.close()
    },
  }
}
