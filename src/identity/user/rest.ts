import { Type } from 'typebox'
import { isHostAdmin } from '../../core/actor.ts'
import { Reply, type Route, route } from '../../core/feature/route.ts'
import { Done } from '../../core/schema/schema.ts'
import type { SignInBackoff } from '../session/backoff.ts'
import { listAttributes } from './attributes.ts'
import { changeOwnPassword } from './own-password.ts'
import { reachTenant, reachUser } from './reach.ts'
import { everybody, users } from './readable.ts'
import { OtherTenant, PasswordChange, User, UserAttribute, UserInput, UserUpdate } from './schema.ts'
import { createUser, deleteUser, getUserByName, updateUser } from './user.ts'

const common = { tag: 'Users', database: 'catalogue' } as const
const reading = { ...common, access: 'user:read' } as const
const writing = { ...common, access: 'user:write' } as const

export const userRoutes: Route[] = [
  route({
    ...reading,
    method: 'GET',
    path: '/api/user-attributes',
    summary: 'List the attributes that users and API keys may have',
    name: 'listUserAttributes',
    description: 'In the order of the application.',
    reply: Type.Array(UserAttribute),
    bounded: 'The list is short, because the application declares the attributes.',
    handle: async (context) => listAttributes(context),
  }),
  {
    ...users.list,
    handle: async (context, input) => {
      const { tenantId } = input.query as { tenantId?: string } // the schema of the list has this member
      return tenantId === undefined && isHostAdmin(context.actor)
        ? everybody.list.handle(context, input)
        : users.list.handle(await reachTenant(context, tenantId), input)
    },
  },
  {
    ...users.get,
    handle: async (context, input) =>
      users.get.handle(await reachUser(context, input.path['id'] ?? ''), input),
  },
  route({
    ...reading,
    method: 'GET',
    path: '/api/users/by-username/:userName',
    summary: 'Get a user by user name',
    description:
      'The search ignores case. It looks in the tenant of the request, unless `tenantId` names another one.',
    query: Type.Object({ tenantId: OtherTenant }),
    reply: User,
    errors: ['notFound'],
    handle: (context, { path, query }) => getUserByName(context, query.tenantId, path.userName),
  }),
  route({
    ...writing,
    method: 'POST',
    path: '/api/users',
    summary: 'Create a user',
    description:
      '`tenantId` creates the user in another tenant, for administrators of the host tenant. Without `roles` the user is a `User`. `attributes` are those that the application declares. User name and email are unique within the tenant. Creating an administrator requires a recent sign-in.',
    body: UserInput,
    status: 201,
    reply: User,
    errors: ['overloaded'],
    headers: ['location'],
    idempotent: true,
    handle: async (context, { body }) => {
      const user = await createUser(context, body)
      return new Reply(user, { location: `/api/users/${user.id}` })
    },
  }),
  route({
    ...writing,
    method: 'PUT',
    path: '/api/users/:id',
    summary: 'Change a user',
    description:
      'Nobody changes their own `attributes` (403). A new password, new roles or a deactivation end every session of the user. What an administrator signs in with or may do changes only after a recent sign-in.',
    body: UserUpdate,
    reply: User,
    errors: ['notFound', 'overloaded'],
    handle: (context, { path, body }) => updateUser(context, path.id, body),
  }),
  route({
    ...writing,
    method: 'DELETE',
    path: '/api/users/:id',
    summary: 'Delete a user',
    description:
      'Ends every session of the user. The last active administrator of the host tenant cannot be deleted (400). Deleting an administrator requires a recent sign-in.',
    status: 204,
    errors: ['invalid', 'notFound'],
    handle: (context, { path }) => deleteUser(context, path.id),
  }),
]

/** @param backoff slows down guessing of the current password */
export function ownPasswordRoute(backoff: SignInBackoff): Route {
  return route({
    ...writing,
    method: 'PUT',
    path: '/api/users/me/password',
    summary: 'Change your own password',
    name: 'changeOwnPassword',
    description: 'Ends every other session of the user. The session of the request stays.',
    access: 'user',
    body: PasswordChange,
    errors: ['tooManyRequests', 'overloaded'],
    reply: Done,
    handle: async (context, { body }) => {
      await changeOwnPassword(context, backoff, body)
      return { message: 'The password is changed.' }
    },
  })
}
