import { Type } from 'typebox'
import { type Route, route } from '../../core/feature/route.ts'
import { defaultPageSize, PageQuery } from '../../core/page.ts'
import { HealthOfTenant } from './schema.ts'
import type { TenantHealth } from './tenant-health.ts'

export function tenantHealthRoutes(health: TenantHealth): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/tenant-health',
      summary: 'List the tenants in which something waits or has failed',
      name: 'listTenantHealth',
      description:
        'For the host tenant. Those whose database is not served come first, then those with the most failures; tenants without any of it are not listed. The counts are up to 15 seconds old, or older if counting takes long.',
      tag: 'Operation',
      access: 'operation:read',
      database: 'catalogue',
      query: Type.Object({ limit: PageQuery.limit }),
      status: 200,
      reply: Type.Array(HealthOfTenant),
      errors: ['unavailable'],
      handle: async ({ shared }, { query }) =>
        (await health.list(shared.tenantDatabases.faults())).slice(0, query.limit ?? defaultPageSize),
    }),
  ]
}
