import { type Context, hostTenantId } from '../context.ts'
import { TenantData } from '../database/data.ts'
import { idempotencyPurpose } from './once.ts'
import { deleteOutcome, listOutcomes } from './sql.ts'

/**
 * Inside a transaction in the shared database: forgets what administrators of the host were answered about a tenant
 * that is erased, and about its users. Whoever repeats such a request makes it anew.
 */
export async function eraseOutcomesAbout(inside: Context, tenantId: string): Promise<void> {
  if (inside.transaction === null) throw new Error('Outcomes are erased in a transaction.')
  const data = new TenantData(hostTenantId, inside.transaction)
  for (const { key, outcome } of await listOutcomes(data)) {
    if (outcome.length > 0 && isAbout(inside, outcome, tenantId)) await deleteOutcome(data, key)
  }
}

function isAbout({ shared }: Context, sealed: Uint8Array, id: string): boolean {
  const outcome: unknown = JSON.parse(shared.sealer.open(sealed, idempotencyPurpose))
  if (typeof outcome !== 'object' || outcome === null) return false
  return ('tenantId' in outcome && outcome.tenantId === id) || ('id' in outcome && outcome.id === id)
}
