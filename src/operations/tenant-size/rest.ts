import { type Route, route } from '../../core/feature/route.ts'
import { requireTenant } from './require-tenant.ts'
import { TenantSize } from './schema.ts'
import type { TenantSizes } from './tenant-sizes.ts'

export function tenantSizeRoute(sizes: TenantSizes): Route {
  return route({
    method: 'GET',
    path: '/api/tenants/:id/size',
    summary: 'Estimate the size of a tenant',
    name: 'readTenantSize',
    description:
      'For the host tenant: its rows and their bytes by table, up to 10 minutes old. Of a table at most a million rows are counted, and counting ends after two seconds.',
    tag: 'Operation',
    access: 'operation:read',
    database: 'catalogue',
    ids: 'text', // tenants have texts as ids
    reply: TenantSize,
    errors: ['notFound', 'unavailable'],
    handle: async (context, { path }) => sizes.read(context, await requireTenant(context, path.id)),
  })
}
