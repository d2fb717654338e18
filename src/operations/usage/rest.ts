import { type Route, route } from '../../core/feature/route.ts'
import { requireTenant } from '../tenant-size/require-tenant.ts'
import { TenantUsage } from './schema.ts'
import { listUsage } from './usage.ts'

export const usageRoute: Route = route({
  method: 'GET',
  path: '/api/tenants/:id/usage',
  summary: 'Read how much a tenant uses the service',
  name: 'readTenantUsage',
  description:
    'For the host tenant: requests, errors and sign-ins by hour and by day. Every instance adds what it has counted once a minute.',
  tag: 'Operation',
  access: 'operation:read',
  database: 'catalogue',
  ids: 'text', // tenants have texts as ids
  reply: TenantUsage,
  errors: ['notFound'],
  handle: async (context, { path }) => {
    const { id } = await requireTenant(context, path.id)
    return { hours: await listUsage(context, id, 'hour'), days: await listUsage(context, id, 'day') }
  },
})
