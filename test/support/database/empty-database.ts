/** A database that no service has opened yet. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { type Config, loadConfig } from '../../../src/core/settings/config.ts'
import { createPostgresDatabase, type DatabaseName } from '../databases.ts'
import { newMasterKey } from '../master-key.ts'

export interface EmptyDatabase {
  config: Config
  /** The environment that the configuration comes from. */
  settings: Record<string, string>
  log: Logger
  drop(): Promise<void>
}

export async function emptyDatabase(database: DatabaseName): Promise<EmptyDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tenantry-test-'))
  const postgres = database === 'postgres' ? await createPostgresDatabase() : null
  const settings = {
    DATA_DIR: dataDir,
    PORT: '0',
    MASTER_KEY: newMasterKey(),
    ...(postgres !== null && { DATABASE_URL: postgres.url }),
  }
  return {
    config: loadConfig(settings, dataDir),
    settings,
    log: pino({ level: 'silent' }),
    drop: async () => {
      await postgres?.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
