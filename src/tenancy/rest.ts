import { listRoute } from '../api/http/reply/list-route.ts'
import { Reply, type Route, route } from '../core/feature/route.ts'
import { readTenants } from './list.ts'
import { IdsParameter, SearchParameter, Tenant, TenantDatabase, TenantInput, TenantUpdate } from './schema.ts'
import { createTenant, deactivateTenant, getTenant, getTenantDatabase, updateTenant } from './tenant.ts'

const common = { tag: 'Tenants', database: 'catalogue', ids: 'text' } as const
const reading = { ...common, access: 'tenant:read' } as const
const writing = { ...common, access: 'tenant:write' } as const

export const tenantRoutes: Route[] = [
  listRoute({
    ...reading,
    path: '/api/tenants',
    summary: 'List tenants',
    description:
      'An administrator of the host tenant sees all tenants. Any other administrator sees its own. A search is always paged; a page of it may have fewer rows than `limit` although another one follows.',
    row: Tenant,
    isWhole: true, // all tenants without `limit` and `cursor`
    filters: { search: SearchParameter, 'id[in]': IdsParameter },
    errors: ['unavailable'],
    read: readTenants,
  }),
  route({
    ...reading,
    method: 'GET',
    path: '/api/tenants/:id',
    summary: 'Get a tenant',
    description:
      'An administrator of another tenant than the host sees only its own tenant. Other tenants are answered with 404.',
    reply: Tenant,
    errors: ['notFound'],
    handle: (context, { path }) => getTenant(context, path.id),
  }),
  route({
    ...reading,
    method: 'GET',
    path: '/api/tenants/:id/database',
    summary: 'Get the state of the database that holds the tenant’s rows',
    description:
      'A tenant with a connection string has its own database. The service creates and migrates it when the tenant is created, and retries on each use. Until it is ready, requests for the tenant’s data are answered with 503. A database that was created once is not created again by itself.',
    reply: TenantDatabase,
    errors: ['notFound'],
    handle: (context, { path }) => getTenantDatabase(context, path.id),
  }),
  route({
    ...writing,
    method: 'POST',
    path: '/api/tenants',
    summary: 'Create a tenant',
    description:
      '`admin` creates the first administrator of the tenant as well. For administrators of the host tenant.',
    body: TenantInput,
    status: 201,
    reply: Tenant,
    errors: ['overloaded'],
    headers: ['location'],
    idempotent: true,
    handle: async (context, { body }) => {
      const tenant = await createTenant(context, body)
      return new Reply(tenant, { location: `/api/tenants/${tenant.id}` })
    },
  }),
  route({
    ...writing,
    method: 'DELETE',
    path: '/api/tenants/:id',
    summary: 'Deactivate a tenant',
    name: 'deactivateTenant',
    description:
      'Users of the tenant can no longer sign in, its tokens are refused, and its data is not served. Nothing is ' +
      'erased: `PUT` with `isActive: true` reactivates the tenant. For administrators of the host tenant.',
    status: 204,
    errors: ['invalid', 'notFound'],
    handle: (context, { path }) => deactivateTenant(context, path.id),
  }),
]

/** @param reserved subdomains that only administrators of the host tenant assign, besides the built-in ones */
export function tenantChangeRoute(reserved: readonly string[]): Route {
  return route({
    ...writing,
    method: 'PUT',
    path: '/api/tenants/:id',
    summary: 'Change a tenant',
    description:
      'Omitted members stay unchanged. An administrator of a tenant may change its name, plan and subdomain. Only administrators of the host tenant may change the rest. A new connection string moves no rows.',
    body: TenantUpdate,
    reply: Tenant,
    errors: ['notFound'],
    handle: (context, { path, body }) => updateTenant(context, path.id, body, reserved),
  })
}
