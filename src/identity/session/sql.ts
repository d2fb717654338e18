import { type Insertable, type Selectable, sql } from 'kysely'
import type { SessionTable } from '../../database/catalogue-tables.ts'
import type { InstallationData } from '../../database/data.ts'

export type SessionRow = Selectable<SessionTable>

export async function insertSession(catalogue: InstallationData, row: Insertable<SessionTable>): Promise<void> {
  await catalogue.kysely.insertInto('session').values(row).execute()
}

/** @param change a use that is not recorded stays out */
export async function extendSession(
  catalogue: InstallationData,
  id: string,
  change: { expires_at: string; last_used_at?: string },
): Promise<void> {
  await catalogue.kysely.updateTable('session').set(change).where('id', '=', id).execute()
}

/** @returns `null` if it was not live */
export async function revokeSessionRow(
  catalogue: InstallationData,
  id: string,
  moment: string,
): Promise<SessionRow | null> {
  const row = await catalogue.kysely
    .updateTable('session')
    .set({ revoked_at: moment })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** The sessions in which administrators of the host act as users of the tenant. */
export async function liveImpersonations(
  catalogue: InstallationData,
  tenantId: string,
  moment: string,
): Promise<string[]> {
  const rows = await catalogue.kysely
    .selectFrom('session')
    .select('id')
    .where('account_id', 'in', (from) =>
      from.selectFrom('account').select('id').where('tenant_id', '=', tenantId),
    )
    .where('impersonator_id', 'is not', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', moment)
    .execute()
  return rows.map(({ id }) => id)
}

/** Those of the user, and those in which it acts as another one. In the order of their ids. */
export async function liveSessionsBy(
  catalogue: InstallationData,
  accountId: string,
  moment: string,
): Promise<string[]> {
  const rows = await catalogue.kysely
    .selectFrom('session')
    .select('id')
    .where((is) => is.or([is('account_id', '=', accountId), is('impersonator_id', '=', accountId)]))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', moment)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The last used first. */
export function liveSessionsOf(
  catalogue: InstallationData,
  accountId: string,
  moment: string,
): Promise<SessionRow[]> {
  return catalogue.kysely
    .selectFrom('session')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', moment)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function findSession(catalogue: InstallationData, id: string): Promise<SessionRow | null> {
  const query = catalogue.kysely.selectFrom('session').selectAll().where('id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

export async function setAuthenticatedAt(
  catalogue: InstallationData,
  id: string,
  moment: string,
): Promise<void> {
  await catalogue.kysely
    .updateTable('session')
    .set({ authenticated_at: moment })
    .where('id', '=', id)
    .execute()
}

/** The different `User-Agent`s of the sign-ins of a user, up to `limit`. */
export async function userAgentsSince(
  catalogue: InstallationData,
  accountId: string,
  { since, limit }: { since: string; limit: number },
): Promise<(string | null)[]> {
  const rows = await catalogue.kysely
    .selectFrom('session')
    .select('user_agent')
    .distinct()
    .where('account_id', '=', accountId)
    .where('created_at', '>=', since)
    .where('impersonator_id', 'is', null)
    .limit(limit)
    .execute()
  return rows.map(({ user_agent }) => user_agent)
}

/**
 * Finds the sessions by the accounts of the tenant, because they have no index by tenant.
 * @returns the number of live ones
 */
export async function revokeSessionRowsOfTenant(
  catalogue: InstallationData,
  tenantId: string,
  moment: string,
): Promise<number> {
  const { numUpdatedRows } = await catalogue.kysely
    .updateTable('session')
    .set({ revoked_at: moment })
    .where('account_id', 'in', (from) =>
      from.selectFrom('account').select('id').where('tenant_id', '=', tenantId),
    )
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', moment)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function sessionsRevokedSince(catalogue: InstallationData, since: string): Promise<string[]> {
  const rows = await catalogue.kysely
    .selectFrom('session')
    .select('id')
    .where('revoked_at', '>', since)
    .execute()
  return rows.map(({ id }) => id)
}

/** @param network as returned by `clientNetwork` @param since ignores earlier sign-ins */
export async function hasSignedInFrom(
  catalogue: InstallationData,
  accountId: string,
  network: string,
  since: string | null = null,
): Promise<boolean> {
  const query = catalogue.kysely
    .selectFrom('session')
    .select('id')
    .where('account_id', '=', accountId)
    .where('client_address', '=', network)
    .where('impersonator_id', 'is', null)
    .limit(1)
  const row = await (since === null ? query : query.where('created_at', '>=', since)).executeTakeFirst()
  return row !== undefined
}

/**
 * Ends all sessions of a tenant. Keeps those that may have valid access tokens, without their user.
 * @param owner the tenant and the account that own the kept sessions
 */
export async function endAllSessions(
  catalogue: InstallationData,
  tenantId: string,
  owner: Pick<SessionRow, 'tenant_id' | 'account_id'>,
  { expiryOfOld, moment }: { expiryOfOld: string; moment: string },
): Promise<void> {
  const { kysely } = catalogue
  await kysely
    .deleteFrom('session')
    .where('tenant_id', '=', tenantId)
    .where((is) =>
      is.or([
        is.and([is('expires_at', '<', expiryOfOld), is('impersonator_id', 'is', null)]),
        is('expires_at', '<', moment), // of an administrator who acted as a user: as long as its token
      ]),
    )
    .execute()
  await kysely
    .deleteFrom('refresh_token')
    .where('session_id', 'in', (from) =>
      from.selectFrom('session').select('id').where('tenant_id', '=', tenantId),
    )
    .execute()
  await kysely
    .updateTable('session')
    .set({
      ...owner,
      client_address: '',
      user_agent: null,
      impersonator_id: null,
      impersonator_name: null,
      revoked_at: moment,
    })
    .where('tenant_id', '=', tenantId)
    .execute()
}

/** @param prefix deletes the counts whose keys begin with it */
export async function deleteCounts(catalogue: InstallationData, prefix: string): Promise<void> {
  await catalogue.kysely
    .deleteFrom('rate_limit')
    .where(sql<boolean>`substr(key, 1, ${prefix.length}) = ${prefix}`)
    .execute()
}

/** @returns their ids, the earliest expired first */
export async function sessionsExpiredBefore(
  catalogue: InstallationData,
  moment: string,
  limit: number,
): Promise<string[]> {
  const rows = await catalogue.kysely
    .selectFrom('session')
    .select('id')
    .where('expires_at', '<', moment)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes up to `limit` refresh tokens of these sessions. @returns the number of deleted ones */
export async function deleteRefreshTokens(
  catalogue: InstallationData,
  sessionIds: readonly string[],
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await catalogue.kysely
    .deleteFrom('refresh_token')
    .where('hash', 'in', (from) =>
      from
        .selectFrom('refresh_token')
        .select('hash')
        .where('session_id', 'in', [...sessionIds])
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Checks the expiry again: a session may have been extended in the meantime. */
export async function deleteSessions(
  catalogue: InstallationData,
  ids: readonly string[],
  expiredBefore: string,
): Promise<void> {
  await catalogue.kysely
    .deleteFrom('session')
    .where('id', 'in', [...ids])
    .where('expires_at', '<', expiredBefore)
    .execute()
}
