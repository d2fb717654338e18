import { createLog } from '../core/log/log.ts'
import type { Config } from '../core/settings/config.ts'
import type { Migration } from '../database/migration.ts'
import { openNothing } from '../database/sqlite/read-only.ts'
import { assembleParts } from '../service/parts.ts'
import type { ServiceOptions } from '../service/service-options.ts'

/** Those of this version and of the features of the application, whatever databases there are. */
export async function knownMigrations(
  config: Config,
  options: ServiceOptions,
): Promise<readonly Migration[]> {
  const database = openNothing()
  try {
    const log = options.log ?? (await createLog(config))
    return assembleParts(config, { ...options, log }, database).migrations
  } finally {
    await database.close()
  }
}
