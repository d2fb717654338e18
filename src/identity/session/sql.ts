/** Statements on sessions. `prepareForUser` restricts its statements to one user, `prepareInCatalogue` to one tenant. */
import type { Insertable, Selectable } from 'kysely'
import { defined } from '../../core/defined.ts'
import type { CatalogueData, InstallationData, UserData } from '../../database/data.ts'
import { lockedIn } from '../../database/locked-rows.ts'
import {
  eachOf,
  pick,
  prepareForInstallation,
  prepareForUser,
  prepareInCatalogue,
} from '../../database/prepared.ts'
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

export function insertSession(user: UserData, row: NewSession): Promise<void> {
  return user.defer(added, row)
}

interface Extension {
  expires_at: string
  last_used_at?: string
}

const extended = eachOf(
  prepareInCatalogue,
  (tables, p: Extension & { id: string; moment: string }, _dialect, given) => {
    const { id, moment, ...change } = pick(p, given)
    return tables
      .updateTable('session')
      .set(change)
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', moment)
      .returningAll()
  },
)

/**
 * Extends the session, and locks it, which every change of its tokens requires.
 * @param change without `last_used_at`, the time of the last use stays
 * @returns `null` if the session was ended or has expired
 */
export function extendSession(
  catalogue: CatalogueData,
  { id, moment }: { id: string; moment: string },
  change: Extension,
): Promise<SessionRow | null> {
  const parameters = { ...change, id, moment }
  return catalogue.first(extended(parameters), parameters)
}

const revoked = prepareInCatalogue((tables, p: { id: string; moment: string }) =>
  tables
    .updateTable('session')
    .set({ revoked_at: p.moment })
    .where('id', '=', p.id)
    .where('revoked_at', 'is', null)
    .returningAll(),
)

/** @returns `null` if the session was not live */
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

/** @returns the live sessions of the user, the last used first */
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

const ofTenantRevoked = prepareInCatalogue((tables, p: { moment: string }, dialect) => {
  const found = tables
    .selectFrom('session')
    .select('id')
    .where('account_id', 'in', tables.selectFrom('account').select('id')) // sessions have no index by tenant
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', p.moment)
    .orderBy('id')
  return tables
    .updateTable('session')
    .set({ revoked_at: p.moment })
    .where('id', 'in', found.$call(lockedIn(dialect)))
})

/** @returns the number of sessions that were live */
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
  const parameters = defined({ network, since })
  return (await user.first(fromNetwork(parameters), parameters)) !== null
}
