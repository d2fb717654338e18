/** Each database is away for a while, under load and without a restart. */
import { DatabaseSync } from 'node:sqlite'
import { Client } from '../../support/client.ts'
import { inspect } from '../../support/database/inspect.ts'
import { openStore, type Store } from '../../support/database/store.ts'
import { Wire } from '../../support/database/wire.ts'
import { createPostgresDatabase, type DatabaseName, migratedTemplate } from '../../support/databases.ts'
import { createAdmin } from '../../support/process/administrator.ts'
import { Workplace } from '../../support/process/workplace.ts'
import { startService } from '../../support/service.ts'
import { endureOutage, type Outage, timeoutMs } from './endurance.ts'

const settings = { WEBHOOK_TIMEOUT_MS: `${timeoutMs}` }

/** @param ms on SQLite, writers wait for up to five seconds and are then refused */
export function endureOutageOf(database: DatabaseName, ms: number) {
  return database === 'sqlite' ? endureLockedFile(ms) : endureCutWire(ms)
}

async function endureCutWire(ms: number) {
  const postgres = await createPostgresDatabase(migratedTemplate)
  const wire = await Wire.to(postgres.url)
  const service = await startService('sqlite', { ...settings, DATABASE_URL: wire.url })
  try {
    return await endureOutage(service.host, {
      ms,
      begin: () => wire.cut(),
      end: () => wire.mend(),
      rows: (sql) => inspect(postgres.url, sql),
    })
  } finally {
    await service.stop()
    await wire.cut()
    await postgres.drop()
  }
}

/** A process, because a writer waits with its thread. */
async function endureLockedFile(ms: number) {
  await using store = await openStore('sqlite')
  await using place = new Workplace({ ...store.settings, ...settings })
  const service = await place.serve()
  const { authorization } = await createAdmin(service)
  return await endureOutage(new Client(service.url, { authorization }), lockFile(store, ms))
}

/** No other process can write meanwhile. */
export function lockFile({ settings: { DATABASE_URL: url = '' }, rows }: Store, ms: number): Outage {
  const connection = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5000 })
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
