/** Creates the database that tests copy: the tables of the service, without rows. */

import { createLog } from '../../../src/core/log/log.ts'
import { loadConfig } from '../../../src/core/settings/config.ts'
import { migrate } from '../../../src/database/migration.ts'
import { createDatabase, openDatabase } from '../../../src/database/open.ts'
import { parseDatabaseUrl } from '../../../src/database/target.ts'
import { assembleParts, postgresOptions } from '../../../src/service/parts.ts'

const config = loadConfig(process.env, process.cwd())
const target = parseDatabaseUrl(config.databaseUrl)
await createDatabase(target)
const database = await openDatabase(target, postgresOptions(config))
try {
  await migrate(database, assembleParts(config, { log: await createLog(config) }, database).migrations)
} finally {
  await database.close()
}
