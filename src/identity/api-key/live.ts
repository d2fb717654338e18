import type { CatalogueData } from '../../database/data.ts'
import { apiKeyChange } from './directory.ts'
import { apiKeyExpiries, findApiKey } from './sql.ts'

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
  return { expiresAtMs: expiryOf(key.expires_at), endedBy: apiKeyChange(key.digest) }
}

/** @returns when each expires, in milliseconds of Unix time; without those that were revoked */
export async function liveApiKeys(
  catalogue: CatalogueData,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await apiKeyExpiries(catalogue, ids)
  return new Map(rows.map(({ id, expires_at }) => [id, expiryOf(expires_at)]))
}

function expiryOf(expiresAt: string | null): number {
  return expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)
}
