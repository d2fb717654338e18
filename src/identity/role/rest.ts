import { Type } from 'typebox'
import { preconditionOf, validatorsOf } from '../../api/http/reply/condition.ts'
import { LanguageQuery, languageAskedFor, replyIn } from '../../api/http/reply/language.ts'
import { listRoute } from '../../api/http/reply/list-route.ts'
import { Reply, type Route, route } from '../../core/feature/route.ts'
import {
  createRole,
  deleteRole,
  getRole,
  listPermissions,
  listRoles,
  type StoredRole,
  updateRole,
} from './role.ts'
import { PermissionInfo, Role, RoleInput, RoleUpdate } from './schema.ts'

const common = { tag: 'Roles', database: 'catalogue', ids: 'text' } as const
const reading = { ...common, method: 'GET', access: 'role:read' } as const
const writing = { ...common, access: 'role:write' } as const
const base = '/api/roles'

export const roleRoutes: Route[] = [
  route({
    ...reading,
    path: '/api/permissions',
    summary: 'List the permissions that roles can grant',
    name: 'listPermissions',
    description: 'Sorted by name. The role Admin has all of them.',
    query: LanguageQuery,
    byLanguage: true,
    reply: Type.Array(PermissionInfo),
    bounded: 'The list is short, because features declare the permissions.',
    handle: async (context, input) => {
      const language = languageAskedFor(input, context.shared.languages)
      return replyIn(language, listPermissions(context, language))
    },
  }),
  listRoute({
    ...common,
    access: 'role:read',
    path: base,
    summary: 'List roles',
    description: 'The built-in roles, those of the application, then those of the tenant, each by name.',
    row: Role,
    exampleKey: '2accountant', // of a cursor, as `roleKey` makes it
    isWhole: true, // without parameters, a request gets all: a tenant has few roles
    read: listRoles,
  }),
  route({
    ...reading,
    path: `${base}/:name`,
    summary: 'Get a role',
    description: 'Send its `ETag` in `If-Match` to change it.',
    reply: Role,
    headers: ['etag', 'last-modified'],
    errors: ['notFound'],
    handle: async (context, { path }) => tagged(await getRole(context, path.name)),
  }),
  route({
    ...writing,
    method: 'POST',
    path: base,
    summary: 'Create a role',
    description:
      'You can grant only permissions that you have. A role of administrators requires a recent sign-in.',
    body: RoleInput,
    status: 201,
    reply: Role,
    headers: ['etag', 'last-modified', 'location'],
    idempotent: true,
    handle: async (context, { body }) => {
      const role = await createRole(context, body)
      return tagged(role, { location: `${base}/${role.name}` })
    },
  }),
  route({
    ...writing,
    method: 'PUT',
    path: `${base}/:name`,
    summary: 'Change a role',
    description:
      'Effective within a second for every user who has the role. Built-in roles cannot be changed. ' +
      'You can change only what grants nothing beyond what you have. What makes administrators requires a recent ' +
      'sign-in.',
    body: RoleUpdate,
    reply: Role,
    headers: ['etag', 'last-modified'],
    errors: ['notFound'],
    conditional: true,
    handle: async (context, { path, body, headers }) => {
      const change = { input: body, precondition: preconditionOf(headers) }
      return tagged(await updateRole(context, path.name, change))
    },
  }),
  route({
    ...writing,
    method: 'DELETE',
    path: `${base}/:name`,
    summary: 'Delete a role',
    description:
      'A role that a user has cannot be deleted (400), and neither can one that grants what you do not have (403).',
    status: 204,
    errors: ['invalid', 'notFound'],
    conditional: true,
    handle: (context, { path, headers }) => deleteRole(context, path.name, preconditionOf(headers)),
  }),
]

/** A built-in role has no validators: it does not change. */
function tagged({ version, updatedAt, ...role }: StoredRole, headers: Record<string, string> = {}): Reply {
  if (version === undefined || updatedAt === undefined) return new Reply(role, headers)
  return new Reply(role, { ...validatorsOf({ version, updatedAt }), ...headers })
}
