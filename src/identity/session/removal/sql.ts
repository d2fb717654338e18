/** Statements that end and remove the sessions of a tenant that is erased, and old ones. */
import { sql } from 'kysely'
import type { InstallationData } from '../../../database/data.ts'
import { expiringRows } from '../../../database/expiring-rows.ts'
import { inJsonRows, jsonOfIds } from '../../../database/json-rows.ts'
import { lockedIn } from '../../../database/locked-rows.ts'
import { prepareForInstallation, prepareInCatalogue } from '../../../database/prepared.ts'
import { revokeSessionRowsOfTenant } from '../sql.ts'
import '../table.ts' // declares that refresh tokens belong to a tenant by their session

const unusedDeleted = prepareInCatalogue((tables, p: { unusedSince: string }) =>
  tables.deleteFrom('session').where('last_used_at', '<', p.unusedSince),
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
 * Ends all sessions of a tenant. Sessions that may have valid access tokens are kept, without their user.
 * @param owner the tenant and the account that own the kept sessions
 * @param times no access token of a session that was last used before `unusedSince` is valid
 */
export async function endAllSessions(
  installation: InstallationData,
  tenantId: string,
  owner: { tenantId: string; accountId: string },
  { unusedSince, moment }: { unusedSince: string; moment: string },
): Promise<void> {
  const catalogue = installation.ofTenant(tenantId)
  await revokeSessionRowsOfTenant(catalogue, moment) // so that they are locked before their tokens
  await catalogue.change(unusedDeleted, { unusedSince })
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

const countsExpired = prepareForInstallation(
  (tables, p: { after: string; beforeMs: number; limit: number }) =>
    tables
      .selectFrom('rate_limit')
      .select('key')
      .where('key', '>', p.after)
      .where('expire', '<', p.beforeMs)
      .orderBy('key')
      .limit(p.limit),
)

/** @returns the keys of counts that expired before a moment, in the order of the keys */
export async function countsExpiredBefore(
  installation: InstallationData,
  beforeMs: number,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  return (await installation.all(countsExpired, { after, beforeMs, limit })).map(({ key }) => key)
}

const expiredCountsDeleted = prepareForInstallation(
  (tables, p: { keys: string; beforeMs: number }, dialect) =>
    tables
      .deleteFrom('rate_limit')
      .where(inJsonRows(dialect, 'key', { json: p.keys, name: 'key', type: 'key' }))
      .where('expire', '<', p.beforeMs),
)

/** Deletes counts, except those that were counted again in the meantime. */
export async function deleteExpiredCounts(
  installation: InstallationData,
  keys: readonly string[],
  beforeMs: number,
): Promise<void> {
  const json = JSON.stringify(keys.map((key) => ({ key })))
  await installation.change(expiredCountsDeleted, { keys: json, beforeMs })
}

/** Finds expired sessions, whose refresh tokens have to be removed before them. */
export const { expiredBefore: sessionsExpiredBefore } = expiringRows('session')

const expiredLocked = prepareForInstallation(
  (tables, p: { sessions: string; expiredBefore: string }, dialect) => {
    const query = tables
      .selectFrom('session')
      .select('id')
      .where(inJsonRows(dialect, 'id', { json: p.sessions, name: 'id', type: 'id' }))
      .where('expires_at', '<', p.expiredBefore)
      .orderBy('id')
    return query.$call(lockedIn(dialect))
  },
)

/** Locks sessions. A session may have been extended in the meantime. @returns the ids that are still expired */
export async function lockExpired(
  installation: InstallationData,
  ids: readonly string[],
  expiredBefore: string,
): Promise<string[]> {
  const rows = await installation.all(expiredLocked, { sessions: jsonOfIds(ids), expiredBefore })
  return rows.map(({ id }) => id)
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

/** Deletes up to `limit` refresh tokens of these sessions. @returns the number of deleted tokens */
export function deleteRefreshTokens(
  installation: InstallationData,
  sessionIds: readonly string[],
  limit: number,
): Promise<number> {
  return installation.change(tokensOfExpired, { sessions: jsonOfIds(sessionIds), limit })
}

const expiredDeleted = prepareForInstallation((tables, p: { sessions: string }, dialect) =>
  tables.deleteFrom('session').where(inJsonRows(dialect, 'id', { json: p.sessions, name: 'id', type: 'id' })),
)

export async function deleteSessions(installation: InstallationData, ids: readonly string[]): Promise<void> {
  await installation.change(expiredDeleted, { sessions: jsonOfIds(ids) })
}
