import { type Insertable, type Selectable, sql } from 'kysely'
import type { CatalogueData, InstallationData, UserData } from '../../database/data.ts'
import { inJsonRows } from '../../database/json-rows.ts'
import {
  eachOf,
  pick,
  prepareForInstallation,
  prepareForUser,
  prepareInCatalogue,
} from '../../database/prepared.ts'
import './table.ts' // it says whose refresh tokens are
import type { SessionTable } from './table.ts'

export type SessionRow = Selectable<SessionTable>
export type NewSession = Omit<Insertable<SessionTable>, 'account_id' | 'tenant_id'>

const columns = [
  'id',
  'created_at',
  'expires_at',
  'revoked_at',
  'client_address',
  'methods',
  'authenticated_at',
  'user_agent',
  'last_used_at',
  'impersonator_id',
  'impersonator_name',
] as const

const added = prepareForUser((tables, p: NewSession) => tables.insertInto('session').values(pick(p, columns)))

export async function insertSession(user: UserData, row: NewSession): Promise<void> {
  await user.change(added, row)
}

interface Extension {
  expires_at: string
  last_used_at?: string
}

const extended = eachOf(prepareInCatalogue, (tables, p: Extension & { id: string }, _dialect, given) => {
  const { id, ...change } = pick(p, given)
  return tables.updateTable('session').set(change).where('id', '=', id)
})

/** @param change a use that is not recorded stays out */
export async function extendSession(catalogue: CatalogueData, id: string, change: Extension): Promise<void> {
  const parameters = { ...change, id }
  await catalogue.change(extended(parameters), parameters)
}

const revoked = prepareInCatalogue((tables, p: { id: string; moment: string }) =>
  tables
    .updateTable('session')
    .set({ revoked_at: p.moment })
    .where('id', '=', p.id)
    .where('revoked_at', 'is', null)
    .returningAll(),
)

/** @returns `null` if it was not live */
export function revokeSessionRow(
  catalogue: CatalogueData,
  id: string,
  moment: string,
): Promise<SessionRow | null> {
  return catalogue.first(revoked, { id, moment })
}

const impersonations = prepareInCatalogue((tables, p: { moment: string }) =>
  tables
    .selectFrom('session')
    .select('id')
    .where('account_id', 'in', tables.selectFrom('account').select('id')) // sessions have no index by tenant
    .where('impersonator_id', 'is not', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', p.moment),
)

/** The sessions in which administrators of the host act as users of the tenant. */
export async function liveImpersonations(catalogue: CatalogueData, moment: string): Promise<string[]> {
  return (await catalogue.all(impersonations, { moment })).map(({ id }) => id)
}

const impersonationsBy = prepareForInstallation((tables, p: { impersonatorId: string; moment: string }) =>
  tables
    .selectFrom('session')
    .select(['id', 'tenant_id as tenantId'])
    .where('impersonator_id', '=', p.impersonatorId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', p.moment),
)

/** The sessions in which the administrator of the host acts as users of any tenant. */
export function liveImpersonationsBy(
  installation: InstallationData,
  impersonatorId: string,
  moment: string,
): Promise<{ id: string; tenantId: string }[]> {
  return installation.all(impersonationsBy, { impersonatorId, moment })
}

const live = prepareForUser((tables, p: { moment: string }) =>
  tables
    .selectFrom('session')
    .selectAll()
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', p.moment)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc'),
)

/** The last used first. */
export function liveSessionsOf(user: UserData, moment: string): Promise<SessionRow[]> {
  return user.all(live, { moment })
}

const byId = prepareForInstallation((tables, p: { id: string }) =>
  tables.selectFrom('session').selectAll().where('id', '=', p.id),
)

export function findSessionOfAny(installation: InstallationData, id: string): Promise<SessionRow | null> {
  return installation.first(byId, { id })
}

const ownById = prepareForUser((tables, p: { id: string }) =>
  tables.selectFrom('session').selectAll().where('id', '=', p.id),
)

export function findSessionOf(user: UserData, id: string): Promise<SessionRow | null> {
  return user.first(ownById, { id })
}

const authenticated = prepareForUser((tables, p: { id: string; moment: string }) =>
  tables.updateTable('session').set({ authenticated_at: p.moment }).where('id', '=', p.id),
)

export async function setAuthenticatedAt(user: UserData, id: string, moment: string): Promise<void> {
  await user.change(authenticated, { id, moment })
}

const userAgents = prepareForUser((tables, p: { since: string; limit: number }) =>
  tables
    .selectFrom('session')
    .select('user_agent')
    .distinct()
    .where('created_at', '>=', p.since)
    .where('impersonator_id', 'is', null)
    .limit(p.limit),
)

/** The different `User-Agent`s of the sign-ins of a user, up to `limit`. */
export async function userAgentsSince(
  user: UserData,
  range: { since: string; limit: number },
): Promise<(string | null)[]> {
  return (await user.all(userAgents, range)).map(({ user_agent }) => user_agent)
}

const ofTenantRevoked = prepareInCatalogue((tables, p: { moment: string }) =>
  tables
    .updateTable('session')
    .set({ revoked_at: p.moment })
    .where('account_id', 'in', tables.selectFrom('account').select('id')) // sessions have no index by tenant
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', p.moment),
)

/** @returns the number of live ones */
export function revokeSessionRowsOfTenant(catalogue: CatalogueData, moment: string): Promise<number> {
  return catalogue.change(ofTenantRevoked, { moment })
}

const revokedSince = prepareForInstallation((tables, p: { since: string }) =>
  tables.selectFrom('session').select('id').where('revoked_at', '>', p.since),
)

export async function sessionsRevokedSince(installation: InstallationData, since: string): Promise<string[]> {
  return (await installation.all(revokedSince, { since })).map(({ id }) => id)
}

const fromNetwork = eachOf(
  prepareForUser,
  (tables, p: { network: string; since?: string }, _dialect, given) =>
    tables
      .selectFrom('session')
      .select('id')
      .where('client_address', '=', p.network)
      .where('impersonator_id', 'is', null)
      .$if(given.has('since'), (query) => query.where('created_at', '>=', p.since ?? ''))
      .limit(1),
)

/** @param network as returned by `clientNetwork` @param since ignores earlier sign-ins */
export async function hasSignedInFrom(user: UserData, network: string, since?: string): Promise<boolean> {
  const parameters = { network, ...(since !== undefined && { since }) }
  return (await user.first(fromNetwork(parameters), parameters)) !== null
}

const oldDeleted = prepareInCatalogue((tables, p: { expiryOfOld: string; moment: string }) =>
  tables.deleteFrom('session').where((is) =>
    is.or([
      is.and([is('expires_at', '<', p.expiryOfOld), is('impersonator_id', 'is', null)]),
      is('expires_at', '<', p.moment), // of an administrator who acted as a user: as long as its token
    ]),
  ),
)

const tokensDeleted = prepareInCatalogue((tables) => tables.deleteFrom('refresh_token'))

const handedOver = prepareForInstallation(
  (tables, p: { from: string; to: string; accountId: string; moment: string }) =>
    tables
      .updateTable('session')
      .set({
        tenant_id: p.to,
        account_id: p.accountId,
        client_address: '',
        user_agent: null,
        impersonator_id: null,
        impersonator_name: null,
        revoked_at: p.moment,
      })
      .where('tenant_id', '=', p.from),
)

/**
 * Ends all sessions of a tenant. Keeps those that may have valid access tokens, without their user.
 * @param owner the tenant and the account that own the kept sessions
 */
export async function endAllSessions(
  installation: InstallationData,
  tenantId: string,
  owner: { tenantId: string; accountId: string },
  { expiryOfOld, moment }: { expiryOfOld: string; moment: string },
): Promise<void> {
  const catalogue = installation.ofTenant(tenantId)
  await catalogue.change(oldDeleted, { expiryOfOld, moment })
  await catalogue.change(tokensDeleted, {})
  await installation.change(handedOver, {
    from: tenantId,
    to: owner.tenantId,
    accountId: owner.accountId,
    moment,
  })
}

const countsDeleted = prepareForInstallation((tables, p: { prefix: string }) =>
  tables.deleteFrom('rate_limit').where(sql<boolean>`substr(key, 1, length(${p.prefix})) = ${p.prefix}`),
)

/** @param prefix deletes the counts whose keys begin with it */
export async function deleteCounts(installation: InstallationData, prefix: string): Promise<void> {
  await installation.change(countsDeleted, { prefix })
}

const expired = prepareForInstallation((tables, p: { moment: string; limit: number }) =>
  tables
    .selectFrom('session')
    .select('id')
    .where('expires_at', '<', p.moment)
    .orderBy('expires_at')
    .limit(p.limit),
)

/** @returns their ids, the earliest expired first */
export async function sessionsExpiredBefore(
  installation: InstallationData,
  moment: string,
  limit: number,
): Promise<string[]> {
  return (await installation.all(expired, { moment, limit })).map(({ id }) => id)
}

const tokensOfExpired = prepareForInstallation((tables, p: { sessions: string; limit: number }, dialect) =>
  tables.deleteFrom('refresh_token').where('hash', 'in', (from) =>
    from
      .selectFrom('refresh_token')
      .select('hash')
      .where(inJsonRows(dialect, 'session_id', { json: p.sessions, name: 'id', type: 'id' }))
      .limit(p.limit),
  ),
)

/** Deletes up to `limit` refresh tokens of these sessions. @returns the number of deleted ones */
export function deleteRefreshTokens(
  installation: InstallationData,
  sessionIds: readonly string[],
  limit: number,
): Promise<number> {
  return installation.change(tokensOfExpired, { sessions: jsonOf(sessionIds), limit })
}

const expiredDeleted = prepareForInstallation(
  (tables, p: { sessions: string; expiredBefore: string }, dialect) =>
    tables
      .deleteFrom('session')
      .where(inJsonRows(dialect, 'id', { json: p.sessions, name: 'id', type: 'id' }))
      .where('expires_at', '<', p.expiredBefore),
)

/** Checks the expiry again: a session may have been extended in the meantime. */
export async function deleteSessions(
  installation: InstallationData,
  ids: readonly string[],
  expiredBefore: string,
): Promise<void> {
  await installation.change(expiredDeleted, { sessions: jsonOf(ids), expiredBefore })
}

function jsonOf(ids: readonly string[]): string {
  return JSON.stringify(ids.map((id) => ({ id })))
}
