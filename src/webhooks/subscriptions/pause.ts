import { recordTenantAudit } from '../../core/audit/audit.ts'
import { type Context, now } from '../../core/context.ts'
import { beforeAllIds } from '../../database/json-page.ts'
import { findSubscriptionForUpdate, replaceSubscription, subscriptionPage } from './sql.ts'

/** The most subscriptions that are read at once: more than a tenant may have. */
const maxRead = 1000

/** Pauses the active subscriptions of an owner, inside a transaction. @param owner as it is stored */
export async function pauseSubscriptionsOf(inside: Context, owner: string): Promise<void> {
  const { id: tenantId } = inside.tenant
  const range = { after: beforeAllIds, limit: maxRead }
  for (const { id } of await subscriptionPage(inside.data, range, { owner })) {
    const row = await findSubscriptionForUpdate(inside.data, id)
    if (row?.owner !== owner || !row.is_active) continue
    const paused = { is_active: false, updated_at: now(inside), version: row.version + 1 }
    await replaceSubscription(inside.data, { ...row, ...paused })
    const subject = { subjectType: 'subscription', subjectId: id, detail: { changed: ['isActive'] } }
    await recordTenantAudit(inside, { action: 'subscription.updated', tenantId, ...subject })
  }
}
