/** Pauses what somebody owns, when an account turns out to be that of somebody else. */
import { recordTenantAudit } from '../core/audit/audit.ts'
import { type Context, now } from '../core/context.ts'
import { inTransaction } from '../core/transaction.ts'
import { beforeAllIds } from '../database/json-page.ts'
import { findRuleForUpdate, replaceRule, rulePage } from './incoming/rule/sql.ts'
import { findSubscriptionForUpdate, replaceSubscription, subscriptionPage } from './subscriptions/sql.ts'

/** More than a tenant may have of either. */
const all = { after: beforeAllIds, limit: 1000 }
const changed = ['isActive']

/** Deliveries wait until the owner or an administrator resumes the subscription. @param owner as it is stored */
export function pauseOwned(context: Context, owner: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    await pauseSubscriptions(inside, owner)
    await pauseRules(inside, owner)
  })
}

async function pauseSubscriptions(inside: Context, owner: string): Promise<void> {
  const { id: tenantId } = inside.tenant
  for (const { id } of await subscriptionPage(inside.data, all, { owner })) {
    const row = await findSubscriptionForUpdate(inside.data, id)
    if (row?.owner !== owner || !row.is_active) continue
    const paused = { is_active: false, updated_at: now(inside), version: row.version + 1 }
    await replaceSubscription(inside.data, { ...row, ...paused })
    const subject = { subjectType: 'subscription', subjectId: id, detail: { changed } }
    await recordTenantAudit(inside, { action: 'subscription.updated', tenantId, ...subject })
  }
}

async function pauseRules(inside: Context, owner: string): Promise<void> {
  const { id: tenantId } = inside.tenant
  for (const { id } of await rulePage(inside.data, all, owner)) {
    const rule = await findRuleForUpdate(inside.data, id)
    if (rule?.owner !== owner || !rule.isActive) continue
    await replaceRule(inside.data, { ...rule, isActive: false })
    const subject = { subjectType: 'webhookRule', subjectId: id, detail: { changed } }
    await recordTenantAudit(inside, { action: 'webhookRule.updated', tenantId, ...subject })
  }
}
