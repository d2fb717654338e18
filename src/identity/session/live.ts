import { userOwner } from '../../core/owner.ts'
import type { InstallationData } from '../../database/data.ts'
import { sessionChangePrefix } from './revocation.ts'
import { findSessionOfAny } from './sql.ts'

/**
 * For what was made in a session and ends with it. The use of a session extends it, so that only its end counts.
 * @returns the announcement that ends it; `null` for a session that was ended
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
