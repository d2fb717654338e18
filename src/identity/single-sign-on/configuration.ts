/** The identity provider of a tenant, which its administrators choose. */

import { isAdmin } from '../../core/actor.ts'
import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, now } from '../../core/context.ts'
import { defined } from '../../core/defined.ts'
import { invalidField, refusal, type ServiceError } from '../../core/errors.ts'
import type { Precondition } from '../../core/precondition.ts'
import { lockTenantOf } from '../../core/tenant/directory.ts'
import { tenantSetting } from '../../core/tenant/settings/cache.ts'
import { inCatalogue } from '../../core/transaction.ts'
import type { DefaultRole } from '../role/default-role.ts'
import { grantableRoles } from '../role/grant.ts'
import { requireRecentSignIn } from '../session/recent-sign-in.ts'
import { findUser } from '../user/user.ts'
import { addressesOf } from './addresses.ts'
import { isSameIssuer } from './claims.ts'
import { hasSecret } from './client-authentication.ts'
import { clientKeyFor, removeClientKeys, signingKeyOf, storeFirstClientKey } from './client-key/client-key.ts'
import type { ProviderSettings, Providers } from './provider.ts'
import { ProviderFailure } from './provider-failure.ts'
import { clientSecretPurpose } from './purpose.ts'
import type { ProviderOptions, SingleSignOn, SingleSignOnInput } from './schema.ts'
import {
  deleteIdentities,
  deleteProvider,
  findProvider,
  type IdentityProviderRow,
  renameIssuer,
  upsertProvider,
} from './sql.ts'

const defaults: ProviderOptions = {
  scopes: ['openid', 'email', 'profile'],
  createsUsers: true,
  defaultRoles: ['User'],
  groupsClaim: 'groups',
  groupRoles: {},
  attributeClaims: {},
  sessionHours: 12,
  clientAuthentication: 'automatic',
  assertionAudience: 'issuer',
  prompt: null,
  domainHint: null,
}

/** A configuration with its version, which is not shown. */
export interface StoredSingleSignOn extends SingleSignOn {
  version: number
}

export interface ConfigurationParts {
  providers: Providers
  baseUrl: string
  /** The role for a provider that is set without default roles, if the application declares one. */
  initialRole: string | null
  /** The setting of the tenant with the role otherwise. */
  defaultRole: DefaultRole
}

/** @throws ServiceError `notFound` */
export async function getSingleSignOn(context: Context, baseUrl: string): Promise<StoredSingleSignOn> {
  const row = await findProvider(context.catalogue)
  if (row === null) throw noProvider()
  return toSingleSignOn(row, baseUrl)
}

/**
 * Requires an administrator in person with a recent sign-in, because whoever sets the provider can sign in as any user.
 * @throws ServiceError `forbidden`; `preconditionFailed`; `invalid` also for a provider that does not answer as its
 *   issuer
 */
export async function setSingleSignOn(
  context: Context,
  parts: ConfigurationParts,
  { input, precondition }: { input: SingleSignOnInput; precondition: Precondition },
): Promise<StoredSingleSignOn> {
  const { providers, baseUrl } = parts
  await requireAdministrator(context)
  const before = await findProvider(context.catalogue)
  precondition?.(before) // before the provider is asked, which takes longer
  const clientSecret = clientSecretOf(context, input, before)
  const { issuer, assertionAlgorithms } = await askProvider(context, providers, { ...input, clientSecret })
  const newKey =
    input.clientAuthentication === 'private_key_jwt' ? await clientKeyFor(context, assertionAlgorithms) : null
  const defaultRoles = input.defaultRoles ?? [
    parts.initialRole ?? (await tenantSetting(context, parts.defaultRole)),
  ]
  return inCatalogue(context, async (inside) => {
    await lockTenantOf(inside)
    const present = await findProvider(inside.catalogue)
    precondition?.(present)
    const row = await rowOf(inside, { ...input, issuer, defaultRoles }, { present, clientSecret })
    if (present !== null && present.issuer !== issuer) await changeIssuer(inside, present.issuer, issuer)
    await upsertProvider(inside.catalogue, row)
    if (newKey !== null) await storeFirstClientKey(inside, newKey)
    const { client_id: clientId, is_enabled: isEnabled, is_required: isRequired } = row
    await record(inside, 'sso.configured', { issuer, clientId, isEnabled, isRequired })
    return toSingleSignOn(row, baseUrl)
  })
}

/** Users then sign in with their passwords again. @throws ServiceError `notFound`, `forbidden`, `preconditionFailed` */
export async function removeSingleSignOn(context: Context, precondition: Precondition): Promise<void> {
  await requireAdministrator(context)
  await inCatalogue(context, async (inside) => {
    await lockTenantOf(inside)
    const present = await findProvider(inside.catalogue)
    if (present !== null) precondition?.(present)
    if (!(await deleteProvider(inside.catalogue))) throw noProvider()
    await deleteIdentities(inside.catalogue)
    await removeClientKeys(inside)
    await record(inside, 'sso.removed', {})
  })
}

/** Whether a user of the context's tenant may sign in only at its provider. */
export async function mustUseProvider({ catalogue }: Context, userId: string): Promise<boolean> {
  const row = await findProvider(catalogue)
  return row?.is_enabled === true && row.is_required && row.break_glass_account_id !== userId
}

/** Whether users of the context's tenant can sign in at its provider. */
export async function signsInAtProvider({ catalogue }: Context): Promise<boolean> {
  return (await findProvider(catalogue))?.is_enabled === true
}

/**
 * Whether a session that began at the provider may be extended: for a limited time, and while the provider is enabled.
 * @param startedAt ISO 8601
 */
export async function mayContinue(context: Context, startedAt: string): Promise<boolean> {
  const row = await findProvider(context.catalogue)
  if (row === null || !row.is_enabled) return false
  const endsAtMs = Date.parse(startedAt) + optionsOf(row).sessionHours * 60 * 60_000
  return endsAtMs > context.shared.clock().getTime()
}

export function optionsOf(row: IdentityProviderRow): ProviderOptions {
  return { ...defaults, ...(JSON.parse(row.options) as Partial<ProviderOptions>) } // `rowOf` has written them
}

export async function settingsOf(context: Context, row: IdentityProviderRow): Promise<ProviderSettings> {
  const { tenant_id: tenantId, version, issuer, client_id: clientId } = row
  const { clientAuthentication, assertionAudience } = optionsOf(row)
  const clientKey = clientAuthentication === 'private_key_jwt' ? await signingKeyOf(context) : null
  const client = { clientId, clientSecret: secretOf(context, row), clientKey }
  return { tenantId, version, issuer, ...client, clientAuthentication, assertionAudience }
}

export function noProvider(): ServiceError {
  return refusal('noSingleSignOn')
}

/** Requires an administrator with a recent sign-in, who is not an API key. */
export async function requireAdministrator(context: Context): Promise<void> {
  const { actor } = context
  if (isAdmin(actor) && actor?.credential.kind !== 'apiKey') return requireRecentSignIn(context)
  throw refusal('singleSignOnNeedsAdmin')
}

function secretOf({ shared }: Context, row: IdentityProviderRow): string {
  return shared.secretBox.decrypt(row.client_secret, clientSecretPurpose)
}

/** @returns the given secret or the present one; empty for a client without a secret @throws ServiceError `invalid` */
function clientSecretOf(
  context: Context,
  { clientSecret, clientAuthentication = defaults.clientAuthentication }: SingleSignOnInput,
  before: IdentityProviderRow | null,
): string {
  if (!hasSecret(clientAuthentication)) return ''
  const secret = clientSecret ?? (before === null ? '' : secretOf(context, before))
  if (secret === '') throw invalidField('clientSecret', 'is required', 'required')
  return secret
}

/** Checks the provider. @returns what its discovery document says @throws ServiceError `invalid` */
async function askProvider(
  { shared, tenant }: Context,
  providers: Providers,
  { issuer, clientId, clientSecret, ...input }: SingleSignOnInput & { clientSecret: string },
): ReturnType<Providers['check']> {
  const fault = providers.faultOf(issuer)
  if (fault !== null) throw invalidField('issuer', fault, 'badAddress')
  try {
    const { clientAuthentication, assertionAudience } = { ...defaults, ...input }
    const client = { clientId, clientSecret, clientKey: null, clientAuthentication, assertionAudience }
    const settings = { tenantId: tenant.id, version: 0, issuer, ...client }
    return await providers.check(settings, shared.clock)
  } catch (error) {
    if (error instanceof ProviderFailure)
      throw invalidField('issuer', `does not work: ${error.message}`, 'providerFailed')
    throw error
  }
}

/** Removes the links of users with the former issuer, whose subjects mean nothing at another issuer. */
async function changeIssuer({ catalogue }: Context, from: string, to: string): Promise<void> {
  if (isSameIssuer(from, to)) return renameIssuer(catalogue, { from, to })
  await deleteIdentities(catalogue)
}

async function rowOf(
  inside: Context,
  input: SingleSignOnInput,
  { present, clientSecret }: { present: IdentityProviderRow | null; clientSecret: string },
): Promise<IdentityProviderRow> {
  const { issuer, clientId, isEnabled = true, isRequired = false } = input
  const breakGlassUserId = input.breakGlassUserId?.toLowerCase() ?? null // as ids are stored
  const options = await checkedOptions(inside, { ...defaults, ...defined(input) })
  await checkBreakGlass(inside, breakGlassUserId, isRequired)
  return {
    tenant_id: inside.catalogueTenantId,
    issuer,
    client_id: clientId,
    client_secret: inside.shared.secretBox.encrypt(clientSecret, clientSecretPurpose),
    options: JSON.stringify(options),
    is_enabled: isEnabled,
    is_required: isRequired,
    break_glass_account_id: breakGlassUserId,
    created_at: present?.created_at ?? now(inside),
    version: (present?.version ?? 0) + 1,
  }
}

async function checkedOptions(inside: Context, given: ProviderOptions): Promise<ProviderOptions> {
  return {
    scopes: given.scopes,
    createsUsers: given.createsUsers,
    defaultRoles: await grantableRoles(inside, given.defaultRoles),
    groupsClaim: given.groupsClaim,
    groupRoles: await grantableOf(inside, given.groupRoles),
    attributeClaims: declaredClaims(inside, given.attributeClaims),
    sessionHours: given.sessionHours,
    clientAuthentication: given.clientAuthentication,
    assertionAudience: given.assertionAudience,
    prompt: given.prompt,
    domainHint: given.domainHint,
  }
}

function declaredClaims(
  { shared: { attributes } }: Context,
  claims: ProviderOptions['attributeClaims'],
): ProviderOptions['attributeClaims'] {
  const unknown = Object.keys(claims).find((name) => attributes.find(name) === null)
  if (unknown === undefined) return claims
  const near = attributes.suggestionFor(unknown)
  throw invalidField(`attributeClaims.${unknown}`, `is no attribute${near}`, 'unknownName')
}

/** @returns the roles by group. `Object.fromEntries` also accepts `__proto__` as the name of a group. */
async function grantableOf(
  inside: Context,
  groupRoles: ProviderOptions['groupRoles'],
): Promise<ProviderOptions['groupRoles']> {
  const granted: [group: string, roles: string[]][] = []
  for (const [group, roles] of Object.entries(groupRoles))
    granted.push([group, await grantableRoles(inside, roles)])
  return Object.fromEntries(granted)
}

/** Requires a user of this tenant. Administrators of the host could name others, who cannot sign in here. */
async function checkBreakGlass(inside: Context, userId: string | null, isRequired: boolean): Promise<void> {
  const found = userId === null ? null : await findUser(inside, userId)
  const user = found?.tenantId === inside.tenant.id ? found : null
  if (userId !== null && user === null)
    throw invalidField('breakGlassUserId', 'must be a user of the tenant', 'notFound')
  // Without such a user, a provider that fails would lock everybody out.
  if (isRequired && (user?.isActive !== true || !user.roles.includes('Admin')))
    throw invalidField(
      'breakGlassUserId',
      'must be an active administrator if single sign-on is required',
      user === null ? 'required' : 'notPossible',
    )
}

function record(
  inside: Context,
  action: 'sso.configured' | 'sso.removed',
  detail: Record<string, unknown>,
): Promise<void> {
  const { id } = inside.tenant
  return recordAudit(inside, { action, tenantId: id, subjectType: 'tenant', subjectId: id, detail })
}

function toSingleSignOn(row: IdentityProviderRow, baseUrl: string): StoredSingleSignOn {
  return {
    issuer: row.issuer,
    clientId: row.client_id,
    isEnabled: row.is_enabled,
    isRequired: row.is_required,
    breakGlassUserId: row.break_glass_account_id,
    ...optionsOf(row),
    ...addressesOf(row.tenant_id, baseUrl),
    createdAt: row.created_at,
    version: row.version,
  }
}
