import { listRoute } from '../../api/http/reply/list-route.ts'
import type { Route } from '../../core/feature/route.ts'
import type { TenantHealth } from '../tenant-health/tenant-health.ts'
import { TenantOverview } from './schema.ts'
import { listTenantOverview } from './tenant-overview.ts'

export function tenantOverviewRoute(health: TenantHealth): Route {
  return listRoute({
    path: '/api/tenant-overview',
    summary: 'List tenants with their size and their failing webhooks',
    name: 'listTenantOverview',
    description:
      'For the host tenant: all tenants in the order of their ids, with the place and the size of their databases, their users and their failing webhooks. The counts of webhooks are up to 15 seconds old, or older if counting takes long.',
    tag: 'Operation',
    access: 'operation:read',
    database: 'catalogue',
    row: TenantOverview,
    errors: ['unavailable'],
    read: (context, request) => listTenantOverview(context, health, request),
  })
}
