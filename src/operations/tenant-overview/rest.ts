import { listRoute } from '../../api/http/reply/list-route.ts'
import type { Route } from '../../core/feature/route.ts'
import { TenantOverview } from './schema.ts'
import { listTenantOverview, type OverviewParts } from './tenant-overview.ts'

export function tenantOverviewRoute(parts: OverviewParts): Route {
  return listRoute({
    path: '/api/tenant-overview',
    summary: 'List tenants with their size and their failing webhooks',
    name: 'listTenantOverview',
    description:
      'For the host tenant: all tenants in the order of their ids, with the place and the size of their databases, their users, what they used in the last 14 days, and their failing webhooks. The size in the shared database is an estimate, which the first look at a tenant begins to make. The counts of webhooks are up to 15 seconds old, or older if counting takes long.',
    tag: 'Operation',
    access: 'operation:read',
    database: 'catalogue',
    row: TenantOverview,
    errors: ['unavailable'],
    read: (context, request) => listTenantOverview(context, parts, request),
  })
}
