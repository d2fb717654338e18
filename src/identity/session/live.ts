import type { CatalogueData } from '../../database/data.ts'
import { sessionChangePrefix } from './revocation.ts'
import { findSession, unrevokedSessions } from './sql.ts'

/**
 * For what was made in a session and ends with it. The use of a session extends it, so that only its end counts.
 * @returns the announcement that ends it; `null` for a session that was ended
 */
export async function findLiveSession(
  catalogue: CatalogueData,
  id: string,
): Promise<{ expiresAtMs: number; endedBy: string } | null> {
  const session = await findSession(catalogue, id)
  if (session === null || session.revoked_at !== null) return null
  return { expiresAtMs: Number.POSITIVE_INFINITY, endedBy: `${sessionChangePrefix}${id}` }
}

/** @returns when each ends by itself, in milliseconds of Unix time; without those that were ended */
export async function liveSessions(
  catalogue: CatalogueData,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await unrevokedSessions(catalogue, ids)
  return new Map(rows.map(({ id }) => [id, Number.POSITIVE_INFINITY]))
}
