import { recordTenantAudit } from '../../../core/audit/audit.ts'
import type { Context } from '../../../core/context.ts'
import { findRuleForUpdate, replaceRule, ruleIdsOf } from './sql.ts'

/**
 * Pauses the active rules of an owner, inside a transaction.
 * @param owner as it is stored: `user:` or `apiKey:` and an id
 */
export async function pauseRulesOf(inside: Context, owner: string): Promise<void> {
  const { id: tenantId } = inside.tenant
  for (const id of await ruleIdsOf(inside.data, owner)) {
    const rule = await findRuleForUpdate(inside.data, id)
    if (rule?.owner !== owner || !rule.isActive) continue
    await replaceRule(inside.data, { ...rule, isActive: false })
    const { provider, eventType, action } = rule
    const subject = { subjectType: 'webhookRule', subjectId: id }
    const detail = { provider, eventType, action, isActive: false }
    await recordTenantAudit(inside, { action: 'webhookRule.updated', tenantId, ...subject, detail })
  }
}
