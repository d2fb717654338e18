import { type Context, now } from '../../core/context.ts'
import { resync } from '../../database/executor.ts'
import { liveSessionsOf, revokeSessionRow, revokeSessionRowsOfTenant } from './sql.ts'

/** What is announced when a session ends; followed by its id. */
export const sessionChangePrefix = 'session:'

/** Inside a transaction: the session's refresh tokens end now, its access tokens within a second, everywhere. */
export async function revokeSession(inside: Context, sessionId: string): Promise<void> {
  if (await revokeSessionRow(inside.catalogue, sessionId, now(inside))) {
    await inside.transaction?.announce(`${sessionChangePrefix}${sessionId}`)
  }
}

/** Inside a transaction: signs the user out everywhere. @param exceptId a session that stays, or `null` */
export async function revokeSessionsOf(
  inside: Context,
  accountId: string,
  exceptId: string | null = null,
): Promise<void> {
  for (const id of await liveSessionsOf(inside.catalogue, accountId, now(inside))) {
    if (id !== exceptId) await revokeSession(inside, id)
  }
}

/** Inside a transaction: signs every user of the tenant out. */
export async function revokeSessionsOfTenant(inside: Context, tenantId: string): Promise<void> {
  if ((await revokeSessionRowsOfTenant(inside.catalogue, tenantId, now(inside))) > 0) {
    await inside.transaction?.announce(resync) // there may be many: every instance reads them again
  }
}
