import { inBatches } from '../../database/batches.ts'
import { TenantData } from '../../database/data.ts'
import type { Transaction } from '../../database/executor.ts'
import { type Context, hostTenantId } from '../context.ts'
import { idempotencyPurpose } from './former-key.ts'
import { deleteOutcome, keysAfter, outcomesOf } from './sql.ts'

/**
 * Erasing a tenant also deletes its traces among the idempotency records of the host's administrators: stored
 * outcomes of requests about the tenant and its users. Such a request, if it is repeated, runs again.
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
      if (outcome.length > 0 && isAbout(context, outcome, tenantId)) await deleteOutcome(data, key)
    }
    after = keys.at(-1) ?? after
  }
  await inBatches(catalogueDatabase, { next, work })
}

function isAbout({ shared }: Context, encrypted: Uint8Array, id: string): boolean {
  const outcome: unknown = JSON.parse(shared.secretBox.decrypt(encrypted, idempotencyPurpose))
  if (typeof outcome !== 'object' || outcome === null) return false
  return ('tenantId' in outcome && outcome.tenantId === id) || ('id' in outcome && outcome.id === id)
}
