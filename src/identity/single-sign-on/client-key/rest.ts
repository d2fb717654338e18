import { Type } from 'typebox'
import type { Context } from '../../../core/context.ts'
import { refusal } from '../../../core/errors.ts'
import { type Route, route } from '../../../core/feature/route.ts'
import { lookUpTenant } from '../../../core/tenant/directory.ts'
import { maxTenantIdLength } from '../../../core/tenant/tenant-id.ts'
import { clientKeysPath } from '../addresses.ts'
import { requireAdministrator } from '../configuration.ts'
import { activateClientKey, listClientKeys, makeClientKey, publishedClientKeys } from './client-key.ts'
import { ClientJwks, ClientKey, ClientKeyInput } from './schema.ts'

const common = { tag: 'Single sign-on', database: 'catalogue' } as const
const path = '/api/tenant/sso/client-keys'

export const clientKeyRoutes: Route[] = [
  route({
    ...common,
    method: 'GET',
    path,
    summary: 'List the keys for the identity provider',
    name: 'listClientKeys',
    access: 'sso:read',
    reply: Type.Array(ClientKey, { description: 'The one that signs first' }),
    bounded: 'A tenant has two at most.',
    handle: (context) => listClientKeys(context),
  }),
  route({
    ...common,
    method: 'POST',
    path,
    summary: 'Make a key for the identity provider',
    name: 'makeClientKey',
    description:
      'The first key signs at once. A further one is published and waits until it is activated; it replaces one that waits. This requires the role Admin, and no API key may do it.',
    access: 'sso:write',
    body: ClientKeyInput,
    status: 201,
    reply: ClientKey,
    handle: async (context, { body }) => {
      await requireAdministrator(context)
      return makeClientKey(context, body)
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: `${path}/:id/activate`,
    ids: 'text',
    parameterTexts: { id: 'The id of the key' },
    summary: 'Sign with another key at the identity provider',
    name: 'activateClientKey',
    description: 'The former key is removed at once. This requires the role Admin, and no API key may do it.',
    access: 'sso:write',
    errors: ['notFound'],
    reply: ClientKey,
    handle: async (context: Context, input) => {
      await requireAdministrator(context)
      return activateClientKey(context, input.path.id)
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: clientKeysPath(':tenant'),
    ids: 'text',
    parameterTexts: { tenant: 'The id of the tenant' },
    summary: 'Get the public keys for the identity provider',
    name: 'getClientJwks',
    description:
      'For the provider: a JSON Web Key Set (RFC 7517). It is empty for a tenant without keys, and for one that is not there: strangers do not learn which tenants exist. A text that is too long for an id is answered with 404.',
    access: 'anonymous',
    reply: ClientJwks,
    errors: ['notFound'],
    handle: async (context, input) => {
      const id = input.path['tenant'] ?? ''
      // The catalogue is not searched for a text of any length.
      if (id.length > maxTenantIdLength) throw refusal('noTenantWithId')
      const tenant = await lookUpTenant(context, id)
      return { keys: tenant === null ? [] : await publishedClientKeys(context, tenant.id) }
    },
  }),
]
