import { Type } from 'typebox'
import { pageReply } from '../api/http/reply/link.ts'
import { Reply, type Route, route } from '../core/feature/route.ts'
import { defaultPageSize, PageQuery } from '../core/page.ts'
import { Tenant, TenantDatabase, TenantInput, TenantUpdate } from './schema.ts'
import {
  createTenant,
  deactivateTenant,
  getTenant,
  getTenantDatabase,
  listTenants,
  updateTenant,
} from './tenant.ts'

const common = { tag: 'Tenants', access: 'admin', database: 'catalogue', ids: 'text' } as const

export const tenantRoutes: Route[] = [
  route({
    ...common,
    method: 'GET',
    path: '/api/tenants',
    summary: 'List tenants',
    description: 'An administrator of the host tenant sees all tenants, any other one sees its own.',
    query: Type.Object(PageQuery),
    status: 200,
    reply: Type.Array(Tenant),
    headers: ['link'],
    handle: async (context, { query }) => {
      const limit = query.limit ?? (query.cursor === undefined ? null : defaultPageSize)
      return pageReply('/api/tenants', query, await listTenants(context, { ...query, limit }))
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: '/api/tenants/:id',
    summary: 'Get a tenant',
    description:
      'An administrator of a tenant that is not the host tenant sees only its own; any other one is 404.',
    status: 200,
    reply: Tenant,
    errors: ['notFound'],
    handle: (context, { path }) => getTenant(context, path['id'] ?? ''),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/api/tenants/:id/database',
    summary: 'Get the state of the database that holds the tenant’s rows',
    description:
      'A tenant with a connection string has a database of its own, which is created and migrated when the tenant is created, and tried again when it is used. Until it is ready, requests for the tenant’s data are 503.',
    status: 200,
    reply: TenantDatabase,
    errors: ['notFound'],
    handle: (context, { path }) => getTenantDatabase(context, path['id'] ?? ''),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/api/tenants',
    summary: 'Create a tenant',
    description: 'With `admin` its first administrator as well. For administrators of the host tenant.',
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
    ...common,
    method: 'PUT',
    path: '/api/tenants/:id',
    summary: 'Change a tenant',
    description:
      'What is left out stays as it is. An administrator of a tenant changes name, plan and subdomain of its own; the rest is for administrators of the host tenant. A new connection string moves no rows.',
    body: TenantUpdate,
    status: 200,
    reply: Tenant,
    errors: ['notFound'],
    handle: (context, { path, body }) => updateTenant(context, path['id'] ?? '', body),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/api/tenants/:id',
    summary: 'Deactivate a tenant',
    name: 'deactivateTenant',
    description:
      'Its users can no longer sign in, its tokens no longer work and its data is no longer served. Nothing ' +
      'is erased: `PUT` with `isActive: true` brings all of it back. For administrators of the host tenant.',
    status: 204,
    errors: ['invalid', 'notFound'],
    handle: (context, { path }) => deactivateTenant(context, path['id'] ?? ''),
  }),
]
