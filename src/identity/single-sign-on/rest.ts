import { Type } from 'typebox'
import { preconditionOf, validatorsOf } from '../../api/http/reply/condition.ts'
import type { Context } from '../../core/context.ts'
import { Reply, type Route, route } from '../../core/feature/route.ts'
import type { AddressGuard } from '../../core/outgoing/address-guard.ts'
import { Done } from '../../core/schema/schema.ts'
import { readForm } from '../account-page/form.ts'
import { SignInStart } from '../code-exchange/schema.ts'
import { addressesOf, callbackPath, logoutPath, signedOutPath } from './addresses.ts'
import { BackChannel } from './back-channel.ts'
import {
  getSingleSignOn,
  removeSingleSignOn,
  type StoredSingleSignOn,
  setSingleSignOn,
} from './configuration.ts'
import { addDomain, listDomains, removeDomain, verifyDomain } from './domain.ts'
import {
  Callback,
  Domain,
  DomainInput,
  maxDomains,
  ProviderAddresses,
  SignedOut,
  SignedOutReturn,
  SignOutInput,
  SingleSignOn,
  SingleSignOnInput,
} from './schema.ts'
import { finishSignIn, type SingleSignOnParts, startSignIn } from './sign-in.ts'
import { returnFromSignOut, signOutAtProvider } from './sign-out.ts'

const common = { tag: 'Single sign-on', database: 'catalogue' } as const

export function singleSignOnRoutes(parts: SingleSignOnParts, guard: AddressGuard): Route[] {
  return [
    ...signInRoutes(parts),
    ...signOutRoutes(parts),
    ...configurationRoutes(parts),
    ...domainRoutes(guard),
  ]
}

function signInRoutes(parts: SingleSignOnParts): Route[] {
  return [
    route({
      ...common,
      method: 'GET',
      path: '/api/auth/sso/:tenant/start',
      ids: 'text',
      parameterTexts: { tenant: 'The id of the tenant' },
      summary: 'Sign in at the identity provider',
      name: 'startSingleSignOn',
      description: 'For a browser, which goes on to the provider.',
      access: 'anonymous',
      query: SignInStart,
      status: 303,
      headers: ['location'],
      errors: ['notFound', 'tooManyRequests', 'unavailable'],
      secret: true,
      handle: async (context, { path, query }) =>
        redirect(await startSignIn(context, parts, { ...query, tenantId: path.tenant })),
    }),
    route({
      ...common,
      method: 'GET',
      path: callbackPath,
      summary: 'Return from the identity provider',
      name: 'finishSingleSignOn',
      description:
        'For a browser, which goes on to the address that the start has named, with `sign_in_code` or `sign_in_error` and with `tenant`.',
      access: 'anonymous',
      query: Callback,
      status: 303,
      headers: ['location'],
      errors: ['tooManyRequests', 'overloaded'],
      secret: true,
      handle: async (context, { query }) => redirect(await finishSignIn(context, parts, query)),
    }),
  ]
}

function signOutRoutes(parts: SingleSignOnParts): Route[] {
  const backChannel = new BackChannel(parts.providers)
  return [
    route({
      ...common,
      method: 'POST',
      path: '/api/auth/sso/sign-out',
      summary: 'Sign out, also at the identity provider',
      name: 'signOutAtProvider',
      description:
        'Ends the session like `POST /api/auth/logout`. The browser then goes to `url`, and the provider sends it back.',
      access: 'user',
      impersonation: 'allowed', // it ends the access
      body: SignOutInput,
      reply: SignedOut,
      secret: true,
      handle: async (context, { body }) => {
        const url = await signOutAtProvider(context, parts, body)
        return { message: 'You are signed out.', url: url?.href ?? null }
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: signedOutPath,
      summary: 'Return from signing out at the identity provider',
      name: 'returnFromSignOut',
      description: 'For a browser, which goes on to the address that the sign-out has named.',
      access: 'anonymous',
      query: SignedOutReturn,
      status: 303,
      headers: ['location'],
      secret: true,
      handle: async (context, { query }) => redirect(returnFromSignOut(context, query.state)),
    }),
    route({
      ...common,
      method: 'POST',
      path: logoutPath(':tenant'),
      ids: 'text',
      parameterTexts: { tenant: 'The id of the tenant' },
      summary: 'Sign users out for the identity provider',
      name: 'backChannelLogout',
      description:
        'For the provider, which sends a form with `logout_token` (OpenID Connect Back-Channel Logout 1.0). The sessions end on every instance within a second.',
      access: 'anonymous',
      rawBody: { limitBytes: 16 * 1024, description: 'A form with `logout_token`.' },
      reply: Done,
      errors: ['invalid', 'notFound', 'tooManyRequests'],
      secret: true,
      handle: async (context, { path, headers, bytes }) => {
        const token = readForm(headers, bytes)['logout_token'] ?? ''
        await backChannel.receive(context, path['tenant'] ?? '', token)
        return { message: 'The sessions have ended.' }
      },
    }),
  ]
}

function configurationRoutes(parts: SingleSignOnParts): Route[] {
  const path = '/api/tenant/sso'
  return [
    route({
      ...common,
      method: 'GET',
      path,
      summary: 'Get single sign-on',
      name: 'getSingleSignOn',
      access: 'sso:read',
      reply: SingleSignOn,
      errors: ['notFound'],
      headers: ['etag'],
      handle: async (context) => tagged(await getSingleSignOn(context, parts.baseUrl)),
    }),
    route({
      ...common,
      method: 'GET',
      path: `${path}/addresses`,
      summary: 'Get the addresses to register at an identity provider',
      name: 'getSingleSignOnAddresses',
      description: 'Also before the tenant has a provider, which needs them to be set up.',
      access: 'sso:read',
      reply: ProviderAddresses,
      handle: async ({ tenant }) => addressesOf(tenant.id, parts.baseUrl),
    }),
    route({
      ...common,
      method: 'PUT',
      path,
      summary: 'Set single sign-on',
      name: 'setSingleSignOn',
      description:
        'The service reads the discovery document of the issuer first. Whoever sets the provider can sign in as every user: this requires the role Admin, and no API key may do it.',
      access: 'sso:write',
      body: SingleSignOnInput,
      reply: SingleSignOn,
      headers: ['etag'],
      conditional: true,
      handle: async (context, { body, headers }) =>
        tagged(await setSingleSignOn(context, parts, { input: body, precondition: preconditionOf(headers) })),
    }),
    route({
      ...common,
      method: 'DELETE',
      path,
      summary: 'Remove single sign-on',
      name: 'removeSingleSignOn',
      description:
        'Users sign in with their passwords again. Sessions from the provider end at their next refresh.',
      access: 'sso:write',
      status: 204,
      errors: ['notFound'],
      conditional: true,
      handle: (context, { headers }) => removeSingleSignOn(context, preconditionOf(headers)),
    }),
  ]
}

function domainRoutes(guard: AddressGuard): Route[] {
  const path = '/api/tenant/sso/domains'
  const ofOne = { ids: 'text', parameterTexts: { domain: 'The domain' } } as const
  const nameOf = (input: { path: Readonly<Record<string, string>> }): string => input.path['domain'] ?? ''
  return [
    route({
      ...common,
      method: 'GET',
      path,
      summary: 'List domains',
      access: 'sso:read',
      reply: Type.Array(Domain),
      bounded: `A tenant has ${maxDomains} at most.`,
      handle: (context) => listDomains(context),
    }),
    route({
      ...common,
      method: 'POST',
      path,
      summary: 'Add a domain',
      description: 'The reply has the TXT record that proves the domain.',
      access: 'sso:write',
      body: DomainInput,
      status: 201,
      reply: Domain,
      handle: (context, { body }) => addDomain(context, body.domain),
    }),
    route({
      ...common,
      ...ofOne,
      method: 'POST',
      path: `${path}/:domain/verify`,
      summary: 'Verify a domain',
      description: 'Looks the TXT record up. Without it the reply is 400.',
      errors: ['notFound', 'invalid'],
      access: 'sso:write',
      reply: Domain,
      handle: (context: Context, input) => verifyDomain(context, guard, nameOf(input)),
    }),
    route({
      ...common,
      ...ofOne,
      method: 'DELETE',
      path: `${path}/:domain`,
      summary: 'Remove a domain',
      errors: ['notFound'],
      access: 'sso:write',
      status: 204,
      handle: (context: Context, input) => removeDomain(context, nameOf(input)),
    }),
  ]
}

function tagged({ version, ...shown }: StoredSingleSignOn): Reply {
  return new Reply(shown, validatorsOf({ version }))
}

function redirect(url: URL): Reply {
  return new Reply(null, { location: url.href })
}
