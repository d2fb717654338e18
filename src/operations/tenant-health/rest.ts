import { listRoute } from '../../api/http/reply/list-route.ts'
import type { Route } from '../../core/feature/route.ts'
import { pageOf } from '../../core/page.ts'
import { HealthOfTenant } from './schema.ts'
import { healthKey, type TenantHealth } from './tenant-health.ts'

export function tenantHealthRoutes(health: TenantHealth): Route[] {
  return [
    listRoute({
      path: '/api/tenant-health',
      summary: 'List the tenants in which something waits or has failed',
      name: 'listTenantHealth',
      description:
        'For the host tenant. Those whose database is not served come first, then those with the most failures; tenants without any of it are not listed. The counts are up to 15 seconds old, or older if counting takes long.',
      tag: 'Operation',
      access: 'operation:read',
      database: 'catalogue',
      row: HealthOfTenant,
      exampleKey: '19007199254740988acme',
      errors: ['unavailable'],
      read: async ({ shared }, request) =>
        pageOf(await health.list(shared.tenantDatabases.faults()), healthKey, request),
    }),
  ]
}
