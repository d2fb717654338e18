import { type Static, Type } from 'typebox'
import { maxAttributes } from '../../core/attributes.ts'
import { Named } from '../../core/schema/record.ts'
import { Nullable, StringEnum, Text, Timestamp, Uuid } from '../../core/schema/schema.ts'
import { SignInStart } from '../code-exchange/schema.ts'
import { RoleName } from '../role/schema.ts'
import { AssertionAudience, ClientAuthentication } from './client-authentication.ts'

export const maxDomains = 50
const maxGroups = 500
const maxHours = 7 * 24

const roles = Type.Array(RoleName, { maxItems: 20, uniqueItems: true, examples: [['User']] })

const issuer = Type.String({
  maxLength: 500,
  description: 'The issuer identifier of the provider: its discovery document is below this address',
  examples: ['https://login.example.com'],
})
const clientId = Text(1, 200, {
  description: 'The id under which the provider knows this service',
  examples: ['tenantry'],
})

/** Members that have a default. */
const options = {
  scopes: Type.Array(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$',
      examples: ['openid'],
    }),
    {
      maxItems: 20,
      uniqueItems: true,
      description: 'What is asked of the provider; `openid` always is',
      examples: [['openid', 'email', 'profile']],
    },
  ),
  createsUsers: Type.Boolean({
    description: 'Whether a user of a proven domain who has no account gets one',
  }),
  defaultRoles: {
    ...roles,
    description:
      'The roles of users without a mapped group: by default the `defaultRole` of the tenant. If empty, they may not sign in',
  },
  groupsClaim: Text(1, 200, {
    description:
      'The claim that has the groups of a user, or the names of claims that lead to it, such as `realm_access.roles`',
    examples: ['groups'],
  }),
  groupRoles: Named(
    roles,
    { min: 1, max: 200 },
    {
      maxProperties: maxGroups,
      description: 'The roles of each group. If any is given, roles follow the groups at each sign-in',
      examples: [{ Accounting: ['User'] }],
    },
  ),
  attributeClaims: Named(
    Type.String({ minLength: 1, maxLength: 200 }),
    { min: 1, max: 50 },
    {
      maxProperties: maxAttributes,
      description:
        'The claim of each attribute, named like `groupsClaim`. At each sign-in the attributes follow the claims; an absent claim changes nothing',
      examples: [{}],
    },
  ),
  sessionHours: Type.Integer({
    minimum: 1,
    maximum: maxHours,
    description: 'After this time a user has to sign in at the provider again',
    examples: [12],
  }),
  clientAuthentication: ClientAuthentication,
  assertionAudience: AssertionAudience,
  prompt: Nullable(
    StringEnum(['login', 'select_account', 'consent'], {
      description: 'What the provider shows its user at each sign-in; `null` leaves it to the provider',
      examples: ['select_account'],
    }),
  ),
  domainHint: Nullable(
    Text(1, 253, {
      description: 'Sent as `domain_hint`, with which some providers choose where a user signs in',
      examples: ['acme.example'],
    }),
  ),
}

const isEnabled = Type.Boolean({ description: 'Whether users may sign in at the provider' })
const isRequired = Type.Boolean({
  description: 'Whether users may sign in only at the provider, except for the break-glass user',
})
const breakGlassUserId = Nullable({
  ...Uuid,
  description: 'An administrator of the tenant who may always sign in with a password',
})

export const SingleSignOnInput = Type.Object(
  {
    issuer,
    clientId,
    clientSecret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description:
          'Stored encrypted and never shown. If omitted, it stays as it is. A public client and one with `private_key_jwt` have none',
        writeOnly: true,
        examples: ['s3cr3t'],
      }),
    ),
    isEnabled: Type.Optional({ ...isEnabled, default: true }),
    isRequired: Type.Optional({ ...isRequired, default: false }),
    breakGlassUserId: Type.Optional(breakGlassUserId),
    scopes: Type.Optional(options.scopes),
    createsUsers: Type.Optional({ ...options.createsUsers, default: true }),
    defaultRoles: Type.Optional(options.defaultRoles),
    groupsClaim: Type.Optional(options.groupsClaim),
    groupRoles: Type.Optional(options.groupRoles),
    attributeClaims: Type.Optional(options.attributeClaims),
    sessionHours: Type.Optional(options.sessionHours),
    clientAuthentication: Type.Optional({ ...options.clientAuthentication, default: 'automatic' }),
    assertionAudience: Type.Optional({ ...options.assertionAudience, default: 'issuer' }),
    prompt: Type.Optional(options.prompt),
    domainHint: Type.Optional(options.domainHint),
  },
  { $id: 'SingleSignOnInput', description: 'The OpenID Connect provider of a tenant.' },
)

const addresses = {
  redirectUri: Type.String({
    description: 'To be registered at the provider',
    examples: ['https://app.example.com/api/auth/sso/callback'],
  }),
  signOutRedirectUri: Type.String({
    description: 'To be registered at the provider, for returning from a sign-out',
    examples: ['https://app.example.com/api/auth/sso/signed-out'],
  }),
  logoutUri: Type.String({
    description: 'To be registered at the provider, for back-channel logout',
    examples: ['https://app.example.com/api/auth/sso/acme/backchannel-logout'],
  }),
  jwksUri: Type.String({
    description: 'To be registered at the provider if the service authenticates with `private_key_jwt`',
    examples: ['https://app.example.com/api/auth/sso/acme/jwks.json'],
  }),
}

export const ProviderAddresses = Type.Object(addresses, {
  $id: 'ProviderAddresses',
  description: 'The addresses that an OpenID Connect provider of the tenant has to know.',
})

export const SingleSignOn = Type.Object(
  {
    issuer,
    clientId,
    isEnabled,
    isRequired,
    breakGlassUserId,
    ...options,
    ...addresses,
    createdAt: Timestamp,
  },
  { $id: 'SingleSignOn', description: 'The OpenID Connect provider of a tenant.' },
)

export const domainPattern = '^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z0-9-]{2,63}$'

const domain = Type.String({
  minLength: 3,
  maxLength: 253,
  pattern: domainPattern,
  'x-reason': 'must be a domain like acme.example',
  description: 'The part of an email address after the `@`',
  examples: ['acme.example'],
})

export const DomainInput = Type.Object({ domain }, { $id: 'DomainInput', description: 'A domain to prove.' })

export const Domain = Type.Object(
  {
    domain,
    isVerified: Type.Boolean({ description: 'Whether the record was found' }),
    recordName: Type.String({
      description: 'The name of the TXT record that proves the domain',
      examples: ['_tenantry.acme.example'],
    }),
    recordValue: Type.String({
      description: 'The text of the record',
      examples: ['tenantry-domain=Xo2…'],
    }),
    verifiedAt: Nullable({ ...Timestamp, description: 'When the record was found' }),
    createdAt: Timestamp,
  },
  { $id: 'Domain', description: 'A domain whose users may sign in at the provider.' },
)

const parameter = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 4096, description, examples: [example] }))

export const Callback = Type.Object({
  state: Type.String({ maxLength: 4096, description: 'As the start has sent it', examples: ['eyJ0Ijo…'] }),
  code: parameter('The authorization code of the provider', 'SplxlOBeZQQYbYS6WxSbIA'),
  iss: parameter('The issuer (RFC 9207)', 'https://login.example.com'),
  error: parameter('Why the provider refuses', 'access_denied'),
  error_description: parameter('The same in words', 'The user has cancelled.'),
})

export const SignOutInput = Type.Object(
  {
    returnTo: { ...SignInStart.properties.returnTo, examples: ['/welcome'] },
    refreshToken: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Ends its session as well, if it is of the same user',
        writeOnly: true,
        examples: ['pq0Zb3…'],
      }),
    ),
  },
  { $id: 'SignOutInput', description: 'Where the browser returns after signing out at the provider.' },
)

export const SignedOut = Type.Object(
  {
    message: Type.String({ description: 'What has happened', examples: ['You are signed out.'] }),
    url: Nullable(
      Type.String({
        description:
          'Where the browser goes to sign out at the provider; `null` if the session did not begin there, or the provider has no such page',
        examples: ['https://login.example.com/logout?client_id=tenantry'],
      }),
    ),
  },
  { $id: 'SignedOut', description: 'A session that has ended.' },
)

export const SignedOutReturn = Type.Object({
  state: Type.String({ maxLength: 4096, description: 'As the sign-out has sent it', examples: ['eyJ0Ijo…'] }),
})

export type SignOutInput = Static<typeof SignOutInput>
export type SignedOut = Static<typeof SignedOut>
export type SingleSignOnInput = Static<typeof SingleSignOnInput>
export type ProviderAddresses = Static<typeof ProviderAddresses>
export type SingleSignOn = Static<typeof SingleSignOn>
export type ProviderOptions = Pick<SingleSignOn, keyof typeof options>
export type Domain = Static<typeof Domain>
export type Callback = Static<typeof Callback>
