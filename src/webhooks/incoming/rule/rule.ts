/** Rules. Each names the action to run for certain events of a provider, with the rights of the rule's owner. */

import type { AuditAction } from '../../../core/audit/action.ts'
import { recordTenantAudit } from '../../../core/audit/audit.ts'
import { type Context, now } from '../../../core/context.ts'
import { refusal } from '../../../core/errors.ts'
import { newId } from '../../../core/id.ts'
import { permits } from '../../../core/owner.ts'
import { mayReach, ownerOf, rightsOf } from '../../../core/ownership.ts'
import { inTransaction } from '../../../core/transaction.ts'
import { rules } from './readable.ts'
import type { Rule, RuleInput, RuleUpdate, StoredRule } from './schema.ts'
import {
  activeRules,
  countRules,
  deleteRuleRow,
  findRule,
  findRuleForUpdate,
  insertRule,
  lockRules,
  replaceRule,
} from './sql.ts'

/** The most rules of one tenant. A webhook may run the actions of all of them. */
export const maxRules = 100

/** @throws ServiceError `notFound` */
export async function getRule(context: Context, id: string): Promise<StoredRule> {
  return inReach(context, await findRule(context.data, id))
}

/**
 * The action need not exist yet: until it does, the runs of the rule are unhandled.
 * @throws ServiceError `invalid` when the tenant has too many rules; `forbidden` for an
 *   action that the actor may not run
 */
export function createRule(context: Context, input: RuleInput): Promise<Rule> {
  requireMayRun(context, input.action)
  return inTransaction(context, async (inside) => {
    await lockRules(inside.data)
    if ((await countRules(inside.data)) >= maxRules) throw refusal('tooManyRules', { limit: maxRules })
    const { provider, eventType, action } = input
    const owner = ownerOf(inside.actor)
    const rule = { id: newId(), provider, eventType, action, owner, isActive: true, createdAt: now(context) }
    await insertRule(inside.data, rule)
    await audit(inside, 'webhookRule.created', rule)
    return rules.show(inside, rule.id)
  })
}

/**
 * Omitted members stay unchanged. Whoever names the action becomes the owner.
 * @throws ServiceError `notFound`; `forbidden` for an action that the actor may not run
 */
export function updateRule(context: Context, id: string, input: RuleUpdate): Promise<Rule> {
  return inTransaction(context, async (inside) => {
    const before = await lockRule(inside, id)
    if (input.action !== undefined) requireMayRun(inside, input.action)
    const owner = input.action === undefined ? before.owner : ownerOf(inside.actor)
    const rule = { ...before, ...input, owner }
    await replaceRule(inside.data, rule)
    await audit(inside, 'webhookRule.updated', rule)
    return rules.show(inside, rule.id)
  })
}

/** @throws ServiceError `notFound` */
export function deleteRule(context: Context, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const rule = await lockRule(inside, id)
    await deleteRuleRow(inside.data, id)
    await audit(inside, 'webhookRule.deleted', rule)
  })
}

/**
 * Finds the active rules for an event, oldest first. A tenant may have more rules than `maxRules`, because earlier
 * versions had no maximum: the rules beyond it do not run, and the log reports this.
 * @param provider in lower case
 */
export async function rulesFor(
  { data, shared, tenant }: Context,
  provider: string,
  type: string | null,
): Promise<StoredRule[]> {
  const found = await activeRules(data, provider, maxRules + 1)
  if (found.length > maxRules)
    shared.log.warn({ tenantId: tenant.id, provider, max: maxRules }, 'rules beyond the maximum not run')
  return found.slice(0, maxRules).filter(({ eventType }) => matchesType(eventType, type))
}

/** A rule with this event type matches only events without a type. */
const noType = '(none)'

/**
 * Users write the pattern. It is not a regular expression, whose evaluation might take too long.
 * @param pattern a type, with `*` for any characters
 * @param type `null` for an event without a type; the pattern `*` matches it too
 */
export function matchesType(pattern: string, type: string | null): boolean {
  if (pattern === noType) return type === null
  return matchesText(pattern, type ?? '')
}

function matchesText(pattern: string, type: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === type
  if (!type.startsWith(first)) return false
  let position = first.length
  for (const part of rest) {
    const found = type.indexOf(part, position)
    if (found === -1) return false
    position = found + part.length
  }
  return type.length - last.length >= position && type.endsWith(last)
}

async function lockRule(inside: Context, id: string): Promise<StoredRule> {
  return inReach(inside, await findRuleForUpdate(inside.data, id))
}

/** @throws ServiceError `notFound`, also for a rule of somebody else */
function inReach({ actor }: Context, rule: StoredRule | null): StoredRule {
  if (rule === null || !mayReach(actor, rule.owner)) throw refusal('noSuch', { label: 'rule' })
  return rule
}

/**
 * A rule runs its action with the rights of its owner. The actor must therefore be allowed to run it.
 * @throws ServiceError `forbidden`
 */
export function requireMayRun({ actor, shared }: Context, name: string): void {
  const action = shared.actions.find(name)
  if (action === null || permits(rightsOf(actor), action.access)) return
  throw action.access === 'admin'
    ? refusal('actionNeedsAdmin', { action: name })
    : refusal('actionNeedsPermission', { action: name, permission: action.access })
}

function audit(
  inside: Context,
  action: AuditAction,
  { id, provider, eventType, ...rule }: StoredRule,
): Promise<void> {
  const { id: tenantId } = inside.tenant
  const detail = { provider, eventType, action: rule.action, isActive: rule.isActive }
  return recordTenantAudit(inside, { action, tenantId, subjectType: 'webhookRule', subjectId: id, detail })
}
