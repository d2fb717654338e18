import type { Insertable, Selectable } from 'kysely'
import type { RefreshTokenTable, SessionTable } from '../database/catalogue-tables.ts'
import type { CatalogueData } from '../database/data.ts'

export type Session = Selectable<SessionTable>

export async function insertSession(catalogue: CatalogueData, row: Insertable<SessionTable>): Promise<void> {
  await catalogue.kysely.insertInto('session').values(row).execute()
}

export async function insertRefreshToken(
  catalogue: CatalogueData,
  row: Insertable<RefreshTokenTable>,
): Promise<void> {
  await catalogue.kysely.insertInto('refresh_token').values(row).execute()
}

/** The session of a refresh token, and when the token was exchanged for its successor. */
export async function findByRefreshToken(
  catalogue: CatalogueData,
  hash: string,
): Promise<(Session & { rotated_at: string | null }) | null> {
  const row = await catalogue.kysely
    .selectFrom('refresh_token')
    .innerJoin('session', 'session.id', 'refresh_token.session_id')
    .selectAll('session')
    .select('refresh_token.rotated_at')
    .where('refresh_token.hash', '=', hash)
    .executeTakeFirst()
  return row ?? null
}

/** Of simultaneous callers exactly one is told `true`. */
export async function markRotated(catalogue: CatalogueData, hash: string, moment: string): Promise<boolean> {
  const { numUpdatedRows } = await catalogue.kysely
    .updateTable('refresh_token')
    .set({ rotated_at: moment })
    .where('hash', '=', hash)
    .where('rotated_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function extendSession(catalogue: CatalogueData, id: string, expiresAt: string): Promise<void> {
  await catalogue.kysely.updateTable('session').set({ expires_at: expiresAt }).where('id', '=', id).execute()
}

/** @returns whether it was live */
export async function revokeSessionRow(
  catalogue: CatalogueData,
  id: string,
  moment: string,
): Promise<boolean> {
  const { numUpdatedRows } = await catalogue.kysely
    .updateTable('session')
    .set({ revoked_at: moment })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function liveSessionsOf(
  catalogue: CatalogueData,
  accountId: string,
  moment: string,
): Promise<string[]> {
  const rows = await catalogue.kysely
    .selectFrom('session')
    .select('id')
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', moment)
    .execute()
  return rows.map(({ id }) => id)
}

export async function sessionsRevokedSince(catalogue: CatalogueData, since: string): Promise<string[]> {
  const rows = await catalogue.kysely
    .selectFrom('session')
    .select('id')
    .where('revoked_at', '>', since)
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether the account has signed in from this address before. */
export async function hasSignedInFrom(
  catalogue: CatalogueData,
  accountId: string,
  clientAddress: string,
): Promise<boolean> {
  const row = await catalogue.kysely
    .selectFrom('session')
    .select('id')
    .where('account_id', '=', accountId)
    .where('client_address', '=', clientAddress)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Their refresh tokens go with them. */
export async function deleteSessionsExpiredBefore(catalogue: CatalogueData, moment: string): Promise<void> {
  await catalogue.kysely.deleteFrom('session').where('expires_at', '<', moment).execute()
}
