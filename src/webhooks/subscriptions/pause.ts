import { recordTenantAudit } from '../../core/audit/audit.ts'
import { type Context, now } from '../../core/context.ts'
import { findSubscriptionForUpdate, replaceSubscription, subscriptionIds } from './sql.ts'

/** Pauses the active subscriptions of an owner, inside a transaction. @param owner as it is stored */
export async function pauseSubscriptionsOf(inside: Context, owner: string): Promise<void> {
  const { id: tenantId } = inside.tenant
  for (const id of await subscriptionIds(inside.data, { owner })) {
    const row = await findSubscriptionForUpdate(inside.data, id)
    if (row?.owner !== owner || !row.is_active) continue
    const paused = { is_active: false, updated_at: now(inside), version: row.version + 1 }
    await replaceSubscription(inside.data, { ...row, ...paused })
    const subject = { subjectType: 'subscription', subjectId: id, detail: { changed: ['isActive'] } }
    await recordTenantAudit(inside, { action: 'subscription.updated', tenantId, ...subject })
  }
}
