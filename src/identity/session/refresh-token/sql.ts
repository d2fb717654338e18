import type { Insertable } from 'kysely'
import type { RefreshTokenTable } from '../../../database/catalogue-tables.ts'
import type { InstallationData } from '../../../database/data.ts'
import type { SessionRow } from '../sql.ts'

export async function insertRefreshToken(
  catalogue: InstallationData,
  row: Insertable<RefreshTokenTable>,
): Promise<void> {
  await catalogue.kysely.insertInto('refresh_token').values(row).execute()
}

/** The session of a refresh token, and when the token was exchanged for its successor. */
export async function findByRefreshToken(
  catalogue: InstallationData,
  hash: string,
): Promise<(SessionRow & { rotated_at: string | null }) | null> {
  const row = await catalogue.kysely
    .selectFrom('refresh_token')
    .innerJoin('session', 'session.id', 'refresh_token.session_id')
    .selectAll('session')
    .select('refresh_token.rotated_at')
    .where('refresh_token.hash', '=', hash)
    .executeTakeFirst()
  return row ?? null
}

/** @returns `true` for exactly one of several simultaneous callers */
export async function markRotated(catalogue: InstallationData, hash: string, moment: string): Promise<boolean> {
  const { numUpdatedRows } = await catalogue.kysely
    .updateTable('refresh_token')
    .set({ rotated_at: moment })
    .where('hash', '=', hash)
    .where('rotated_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Whether a token of the session was exchanged after this moment. */
export async function hasRotatedSince(
  catalogue: InstallationData,
  sessionId: string,
  moment: string,
): Promise<boolean> {
  const row = await catalogue.kysely
    .selectFrom('refresh_token')
    .select('hash')
    .where('session_id', '=', sessionId)
    .where('rotated_at', '>', moment)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Makes tokens of the session that were not exchanged such as were, at this moment. @returns how many */
export async function withdrawUnused(
  catalogue: InstallationData,
  sessionId: string,
  moment: string,
): Promise<number> {
  const { numUpdatedRows } = await catalogue.kysely
    .updateTable('refresh_token')
    .set({ rotated_at: moment })
    .where('session_id', '=', sessionId)
    .where('rotated_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
