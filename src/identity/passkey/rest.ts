import { Type } from 'typebox'
import { type Route, route } from '../../core/feature/route.ts'
import type { AccessTokens } from '../session/access-token.ts'
import { SignIn } from '../session/schema.ts'
import { addPasskey, beginPasskey, listPasskeys, removePasskey, renamePasskey } from './own-passkey.ts'
import type { RelyingParty } from './relying-party.ts'
import {
  AddedPasskey,
  maxPasskeys,
  Passkey,
  PasskeyCreationOptions,
  PasskeyInput,
  PasskeyName,
  PasskeyRequest,
  PasskeyRequestOptions,
  PasskeySignIn,
} from './schema.ts'
import { beginSignIn, finishSignIn } from './sign-in.ts'

const common = { tag: 'Authentication', database: 'catalogue' } as const
const own = { ...common, access: 'user' } as const
const base = '/api/auth/passkeys'

export interface PasskeyParts {
  tokens: AccessTokens
  party: RelyingParty
}

export function passkeyRoutes(parts: PasskeyParts): Route[] {
  return [...signInRoutes(parts), ...addRoutes(parts), ...ownRoutes]
}

function signInRoutes(parts: PasskeyParts): Route[] {
  return [
    route({
      ...common,
      method: 'POST',
      path: `${base}/request-options`,
      summary: 'Begin to sign in with a passkey',
      name: 'beginPasskeySignIn',
      description: 'The reply is for `navigator.credentials.get`. A challenge works once, for five minutes.',
      access: 'anonymous',
      limit: 'strict',
      body: PasskeyRequest,
      bodyOptional: true,
      reply: PasskeyRequestOptions,
      errors: ['badCredentials'],
      secret: true,
      handle: (context, { body }) => beginSignIn(context, parts.party, body?.token),
    }),
    route({
      ...common,
      method: 'POST',
      path: `${base}/sign-in`,
      summary: 'Sign in with a passkey',
      name: 'passkeySignIn',
      description:
        'Without `token` the authenticator has to verify the user, which counts as both factors. With the `X-Mfa-Token` of a password the passkey is the second factor.',
      access: 'anonymous',
      body: PasskeySignIn,
      reply: SignIn,
      errors: ['badCredentials', 'forbidden'],
      secret: true,
      handle: (context, { body }) => finishSignIn(context, parts, body),
    }),
  ]
}

function addRoutes({ party }: PasskeyParts): Route[] {
  return [
    route({
      ...own,
      method: 'POST',
      path: `${base}/creation-options`,
      summary: 'Begin to add a passkey',
      name: 'beginPasskey',
      description:
        'The reply is for `navigator.credentials.create`. A challenge works once, for five minutes.',
      status: 201,
      reply: PasskeyCreationOptions,
      errors: ['invalid'],
      secret: true,
      handle: (context) => beginPasskey(context, party),
    }),
    route({
      ...own,
      method: 'POST',
      path: base,
      summary: 'Add a passkey',
      name: 'addPasskey',
      description: 'With the first factor of a user the reply has ten recovery codes.',
      body: PasskeyInput,
      status: 201,
      reply: AddedPasskey,
      secret: true,
      handle: (context, { body }) => addPasskey(context, party, body),
    }),
  ]
}

const ownRoutes: Route[] = [
  route({
    ...own,
    method: 'GET',
    path: base,
    summary: 'List your passkeys',
    description: 'In the order of creation.',
    reply: Type.Array(Passkey),
    bounded: `A user has ${maxPasskeys} at most.`,
    handle: listPasskeys,
  }),
  route({
    ...own,
    method: 'PUT',
    path: `${base}/:id`,
    summary: 'Rename a passkey',
    description: 'The name is for the user alone.',
    body: PasskeyName,
    reply: Passkey,
    errors: ['notFound'],
    handle: (context, { path, body }) => renamePasskey(context, path.id, body.name),
  }),
  route({
    ...own,
    method: 'DELETE',
    path: `${base}/:id`,
    summary: 'Remove a passkey',
    description: 'The last factor cannot be removed where the tenant requires one (400).',
    status: 204,
    errors: ['invalid', 'notFound'],
    handle: (context, { path }) => removePasskey(context, path.id),
  }),
]
