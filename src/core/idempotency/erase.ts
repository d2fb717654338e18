import { inBatches } from '../../database/batches.ts'
import { TenantData } from '../../database/data.ts'
import type { Transaction } from '../../database/executor.ts'
import { type Context, hostTenantId } from '../context.ts'
import { CannotDecrypt, type SecretBox } from '../encryption/secret-box.ts'
import { idempotencyPurpose } from './former-key.ts'
import { deleteOutcome, keysAfter, outcomesOf } from './sql.ts'

/**
 * Erasing a tenant also deletes its traces among the idempotency records of the host's administrators: stored
 * outcomes of requests about the tenant and its users, and outcomes that no key decrypts. Such a request, if it is
 * repeated, runs again.
 */
export async function eraseOutcomesAbout(context: Context, tenantId: string): Promise<void> {
  const { catalogueDatabase } = context.shared
  const reader = new TenantData(hostTenantId, catalogueDatabase.executor)
  let after = ''
  const next = async (rows: number): Promise<string[] | null> => {
    const keys = await keysAfter(reader, after, rows)
    return keys.length === 0 ? null : keys
  }
  const work = async (transaction: Transaction, keys: string[]): Promise<void> => {
    const data = new TenantData(hostTenantId, transaction)
    for (const { key, outcome } of await outcomesOf(data, keys)) {
      if (outcome.length > 0 && mayBeAbout(context, outcome, tenantId)) await deleteOutcome(data, key)
    }
    after = keys.at(-1) ?? after
  }
  await inBatches(catalogueDatabase, { next, work })
}

function mayBeAbout({ shared }: Context, encrypted: Uint8Array, id: string): boolean {
  const text = decrypted(shared.secretBox, encrypted)
  const outcome: unknown = text === null ? null : JSON.parse(text)
  if (typeof outcome !== 'object' || outcome === null) return text === null
  return ('tenantId' in outcome && outcome.tenantId === id) || ('id' in outcome && outcome.id === id)
}

/** @returns `null` for an outcome of a master key that is gone */
function decrypted(secretBox: SecretBox, encrypted: Uint8Array): string | null {
  try {
    return secretBox.decrypt(encrypted, idempotencyPurpose)
  } catch (error) {
    if (error instanceof CannotDecrypt) return null
    throw error
  }
}
