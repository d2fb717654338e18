/** Creates the databases that tests copy, one of each kind: the tables of the service, without rows. */

import { createLog } from '../../../src/core/log/log.ts'
import { loadConfig } from '../../../src/core/settings/config.ts'
import { migrate } from '../../../src/database/migrate/apply.ts'
import { createDatabase, openDatabase } from '../../../src/database/open.ts'
import { parseDatabaseUrl } from '../../../src/database/target.ts'
import { assembleParts, postgresOptions } from '../../../src/service/parts.ts'

await createMigrated(process.env)
const { DATABASE_URL: _, ...withoutServer } = process.env
await createMigrated(withoutServer)

async function createMigrated(environment: NodeJS.ProcessEnv): Promise<void> {
  const config = loadConfig(environment, process.cwd())
  const target = parseDatabaseUrl(config.databaseUrl)
  await createDatabase(target)
  const database = await openDatabase(target, postgresOptions(config))
  try {
    await migrate(database, assembleParts(config, { log: await createLog(config) }, database).migrations)
  } finally {
    await database.close()
  }
}
