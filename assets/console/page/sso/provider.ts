/** The settings of a tenant's identity provider in the API. */
export interface Provider {
  issuer: string
  clientId: string
  isEnabled: boolean
  isRequired: boolean
  breakGlassUserId: string | null
  scopes: readonly string[]
  createsUsers: boolean
  defaultRoles: readonly string[]
  groupsClaim: string
  groupRoles: Readonly<Record<string, readonly string[]>>
  sessionHours: number
  clientAuthentication: string
  assertionAudience: string
  prompt: string | null
  domainHint: string | null
}

/** The addresses of the service that are entered at the provider. */
export interface Addresses {
  redirectUri: string
  signOutRedirectUri: string
  logoutUri: string
  jwksUri: string
}

export interface GroupRoles {
  group: string
  roles: readonly string[]
}

export interface ProviderValues {
  issuer: string
  clientId: string
  clientSecret: string
  isEnabled: boolean
  isRequired: boolean
  breakGlassUserId: string
  scopes: string
  createsUsers: boolean
  defaultRoles: readonly string[]
  groupsClaim: string
  groups: readonly GroupRoles[]
  sessionHours: string
  clientAuthentication: string
  assertionAudience: string
  /** The parameter `prompt`; '' to leave it to the provider. */
  prompt: string
  domainHint: string
}

/** @returns the values for the form @param provider `null` for the defaults of the service */
export function valuesOf(provider: Provider | null): ProviderValues {
  if (provider === null) return usualValues
  const { issuer, clientId, isEnabled, isRequired, createsUsers, defaultRoles, groupsClaim } = provider
  const { clientAuthentication, assertionAudience, prompt, domainHint } = provider
  return {
    issuer,
    clientId,
    isEnabled,
    isRequired,
    createsUsers,
    defaultRoles,
    groupsClaim,
    clientAuthentication,
    assertionAudience,
    prompt: prompt ?? '',
    domainHint: domainHint ?? '',
    clientSecret: '',
    breakGlassUserId: provider.breakGlassUserId ?? '',
    scopes: provider.scopes.join(' '),
    groups: Object.entries(provider.groupRoles).map(([group, roles]) => ({ group, roles })),
    sessionHours: `${provider.sessionHours}`,
  }
}

/** @returns the body of the request; without a secret the present one is kept */
export function providerInput({ clientSecret, groups, ...values }: ProviderValues) {
  const { breakGlassUserId, scopes, sessionHours, prompt, domainHint, ...rest } = values
  return {
    ...rest,
    ...(clientSecret !== '' && { clientSecret }),
    breakGlassUserId: breakGlassUserId === '' ? null : breakGlassUserId,
    scopes: [...new Set(scopes.split(/\s+/).filter((each) => each !== ''))],
    groupRoles: rolesByGroup(groups),
    sessionHours: Number(sessionHours),
    prompt: prompt === '' ? null : prompt,
    domainHint: domainHint.trim() === '' ? null : domainHint,
  }
}

const usualValues: ProviderValues = {
  issuer: '',
  clientId: '',
  clientSecret: '',
  isEnabled: true,
  isRequired: false,
  breakGlassUserId: '',
  scopes: 'openid email profile',
  createsUsers: true,
  defaultRoles: ['User'],
  groupsClaim: 'groups',
  groups: [],
  sessionHours: '12',
  clientAuthentication: 'automatic',
  assertionAudience: 'issuer',
  prompt: '',
  domainHint: '',
}

/** @returns the roles of each group. A group that was typed twice gets the roles of both lines. */
function rolesByGroup(groups: readonly GroupRoles[]): Record<string, readonly string[]> {
  const byGroup = new Map<string, readonly string[]>()
  for (const { group, roles } of groups)
    byGroup.set(group, [...new Set([...(byGroup.get(group) ?? []), ...roles])])
  return Object.fromEntries(byGroup)
}
