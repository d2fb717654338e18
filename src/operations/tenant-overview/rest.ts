import { Type } from 'typebox'
import { pageReply } from '../../api/http/reply/link.ts'
import { type Route, route } from '../../core/feature/route.ts'
import { defaultPageSize, PageQuery } from '../../core/page.ts'
import type { TenantHealth } from '../tenant-health/tenant-health.ts'
import { TenantOverview } from './schema.ts'
import { listTenantOverview } from './tenant-overview.ts'

const path = '/api/tenant-overview'

export function tenantOverviewRoute(health: TenantHealth): Route {
  return route({
    method: 'GET',
    path,
    summary: 'List tenants with their size and their failing webhooks',
    name: 'listTenantOverview',
    description:
      'For the host tenant: all tenants in the order of their ids, with the place and the size of their databases, their users and their failing webhooks. The counts of webhooks are up to 15 seconds old, or older if counting takes long.',
    tag: 'Operation',
    access: 'operation:read',
    database: 'catalogue',
    query: Type.Object(PageQuery),
    status: 200,
    reply: Type.Array(TenantOverview),
    headers: ['link'],
    errors: ['unavailable'],
    handle: async (context, { query }) =>
      pageReply(
        path,
        query,
        await listTenantOverview(context, health, { ...query, limit: query.limit ?? defaultPageSize }),
      ),
  })
}
