import type { CatalogueData } from '../../database/data.ts'
import { apiKeyChange } from './directory.ts'
import { findApiKey } from './sql.ts'

/**
 * For what was made with an API key and ends with it.
 * @returns its expiry in milliseconds of Unix time, and the announcement that ends it; `null` for a key that was revoked
 */
export async function findLiveApiKey(
  catalogue: CatalogueData,
  id: string,
): Promise<{ expiresAtMs: number; endedBy: string } | null> {
  const key = await findApiKey(catalogue, id)
  if (key === null) return null
  const expiresAtMs = key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at)
  return { expiresAtMs, endedBy: apiKeyChange(key.digest) }
}
