/** The schemas of new databases. */
import type { ServiceOptions } from '../../src/service/service-options.ts'
import { createPostgresDatabase, type DatabaseName } from '../support/databases.ts'
import { startService } from '../support/service.ts'
import { schemaOf } from './content.ts'

export interface Schemas {
  shared: string[]
  /** Of a tenant with a database of its own. */
  own: string[]
}

export async function freshSchemas(database: DatabaseName, application: ServiceOptions): Promise<Schemas> {
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
