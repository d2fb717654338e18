import { userOwner } from '../../core/owner.ts'
import type { InstallationData } from '../../database/data.ts'
import { sessionChangePrefix } from './revocation.ts'
import { findSessionOfAny } from './sql.ts'

/**
 * Finds the session in which something was made that ends with it, such as a portal session. The expiry of the session
 * does not count, because each use extends it.
 * @returns the announcement of its end, and its user as an owner; `null` for a session that was ended
 */
export async function findLiveSession(
  installation: InstallationData,
  id: string,
): Promise<{ expiresAtMs: number; endedBy: string; owner: string } | null> {
  const session = await findSessionOfAny(installation, id)
  if (session === null || session.revoked_at !== null) return null
  return {
    expiresAtMs: Number.POSITIVE_INFINITY,
    endedBy: `${sessionChangePrefix}${id}`,
    owner: userOwner(session.account_id),
  }
}
