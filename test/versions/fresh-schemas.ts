/** The schemas of new databases. */
import type { ServiceOptions } from '../../src/service/service-options.ts'
import { createPostgresDatabase, type DatabaseName } from '../support/databases.ts'
import { startService } from '../support/service.ts'
import { schemaOf } from './content.ts'
import type { Unpacked } from './upgraded.ts'

export interface Schemas {
  shared: string[]
  /** Of a tenant with a database of its own. */
  own: string[]
}

/** By the database and the name of the application: many versions have the same one. */
const made = new Map<string, Promise<Schemas>>()

/** @returns what today's service, with the application of a former version, makes of empty databases */
export function freshSchemas(
  database: DatabaseName,
  { application, expected }: Pick<Unpacked, 'application' | 'expected'>,
): Promise<Schemas> {
  const key = `${database} ${expected.application}`
  const known = made.get(key) ?? makeSchemas(database, application)
  made.set(key, known)
  return known
}

async function makeSchemas(database: DatabaseName, application: ServiceOptions): Promise<Schemas> {
  const service = await startService(database, {}, application)
  const own = database === 'postgres' ? await createPostgresDatabase() : null
  await service.newTenant({ connectionString: own?.url ?? 'sqlite:own.db' })
  const schemas = {
    shared: await schemaOf(service.config.databaseUrl),
    own: await schemaOf(own?.url ?? `sqlite:${service.dataDir}/tenants/own.db`),
  }
  await service.stop()
  await own?.drop()
  return schemas
}
