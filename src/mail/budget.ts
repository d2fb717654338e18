/** How many mails strangers can cause. Counted by the stored mails, for all instances together. */
import type { Context } from '../core/context.ts'
import { TenantData } from '../database/data.ts'
import { foldText } from '../database/fold-text.ts'
import { lockForTenant } from '../database/tenant-lock.ts'
import { limitedMailsOf, limitedMailsTo } from './sql.ts'

const hourMs = 60 * 60 * 1000

/**
 * Inside a transaction of the catalogue: whether another mail that a stranger causes may be sent to the address. Until
 * the transaction ends, no other one of the tenant counts.
 */
export async function mailBudget(inside: Context, to: string): Promise<boolean> {
  const { catalogue, shared, tenant, transaction } = inside
  if (transaction === null) throw new Error('Mails were counted outside a transaction.')
  const { perAddress, perTenant } = shared.mails
  await lockForTenant(new TenantData(tenant.id, transaction), 'mails')
  const since = new Date(shared.clock().getTime() - hourMs).toISOString()
  const toAddress = await limitedMailsTo(catalogue, { recipientKey: foldText(to), since, limit: perAddress })
  if (toAddress >= perAddress) return false
  return (await limitedMailsOf(catalogue, { tenantId: tenant.id, since, limit: perTenant })) < perTenant
}
