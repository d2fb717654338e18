/** Runs the command line in this process, on the database of a service that may be running. */
import type { Config } from '../../../src/core/settings/config.ts'
import type { Ended } from './ended.ts'
import { runHere } from './run-here.ts'

/** @param settings that differ from the service's own @param input of the command */
export function tenantry(
  words: string[],
  { config }: { config: Config },
  settings: Record<string, string> = {},
  input = '',
): Promise<Ended> {
  const environment = {
    DATA_DIR: config.dataDir,
    DATABASE_URL: config.databaseUrl,
    MASTER_KEY: Buffer.from(config.masterKey).toString('base64'),
    PORT: '0',
    ...settings,
  }
  return runHere(words, { environment, folder: config.dataDir, input })
}
