/** The keys that act for a user. Their rights change with those of the user, and they are revoked with it. */
import type { Context } from '../../core/context.ts'
import { keyOwner } from '../../core/owner.ts'
import { ownerChange } from '../owner/change.ts'
import { apiKeyChange } from './change.ts'
import { recordKey } from './record.ts'
import { apiKeysActingFor, deleteApiKeyRow } from './sql.ts'

/**
 * Announces, in the transaction that changes the user, that subscriptions and rules
 * of these keys have other rights.
 */
export async function announceKeysOf(inside: Context, userId: string): Promise<void> {
  for (const { id } of await apiKeysActingFor(inside.catalogue, userId))
    await inside.transaction?.announce(ownerChange(keyOwner(id)))
}

/** Revokes the keys, inside the transaction that deletes the user. */
export async function revokeKeysOf(inside: Context, userId: string): Promise<void> {
  for (const row of await apiKeysActingFor(inside.catalogue, userId)) {
    await deleteApiKeyRow(inside.catalogue, row.id)
    await inside.transaction?.announce(apiKeyChange(row.digest))
    await inside.transaction?.announce(ownerChange(keyOwner(row.id)))
    await recordKey(inside, 'apiKey.revoked', row, { actedFor: userId })
  }
}
