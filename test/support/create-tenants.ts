import { createService } from '../../src/service/service.ts'
import { createTenant } from '../../src/tenancy/tenant.ts'
import type { EmptyDatabase } from './database/empty-database.ts'

/** Tenants with databases of their own; no service runs afterwards. */
export async function createTenants(
  { config, log }: EmptyDatabase,
  tenants: (readonly [id: string, connectionString: string])[],
): Promise<void> {
  const service = await createService(config, { log })
  const operator = await service.operator()
  for (const [id, connectionString] of tenants)
    await createTenant(operator, { id, name: id, connectionString })
  await service.stop()
}
