import { type AttributeSet, attributeSet, type DeclaredAttributes } from '../../core/attributes.ts'
import { keyOwner } from '../../core/owner.ts'
import type { Permission, Permissions } from '../../core/permission.ts'
import type { InstallationData } from '../../database/data.ts'
import { permissionsOf } from '../role/grant.ts'
import { apiKeyChange } from './change.ts'
import { type ApiKeyRow, findApiKey, findApiKeys } from './sql.ts'

/**
 * Finds the API key with which something was made that ends with the key, such as a portal session.
 * @returns its expiry in milliseconds of Unix time, the announcement that ends it, and itself as an owner; `null` for a
 *   key that was revoked
 */
export async function findLiveApiKey(
  catalogue: InstallationData,
  id: string,
): Promise<{ expiresAtMs: number; endedBy: string; owner: string } | null> {
  const key = await findApiKey(catalogue, id)
  if (key === null) return null
  const expiresAtMs = expiryOf(key)
  return { expiresAtMs, endedBy: apiKeyChange(key.digest), owner: keyOwner(id) }
}

export interface LiveApiKey {
  id: string
  name: string
  tenantId: string
  permissions: Permission[]
  /** The user for whom it acts; `null` for nobody. */
  actsFor: string | null
  attributes: AttributeSet
  /** Milliseconds of Unix time; infinite for a key that does not expire. */
  expiresAtMs: number
}

/** @returns the keys among `ids` that were not revoked. They may have expired. */
export async function liveApiKeys(
  catalogue: InstallationData,
  ids: readonly string[],
  declared: { permissions: Permissions; attributes: DeclaredAttributes },
): Promise<LiveApiKey[]> {
  const rows = await findApiKeys(catalogue, ids)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    tenantId: row.tenant_id,
    permissions: permissionsOf(row, declared.permissions),
    actsFor: row.acts_for,
    attributes: attributeSet(declared.attributes, row.attributes),
    expiresAtMs: expiryOf(row),
  }))
}

function expiryOf({ expires_at: expiresAt }: ApiKeyRow): number {
  return expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)
}
