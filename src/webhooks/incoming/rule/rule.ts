/** Rules: each names the action to run for certain events of a provider. */
import type { AuditAction } from '../../../core/audit/action.ts'
import { recordTenantAudit } from '../../../core/audit/audit.ts'
import { type Context, now } from '../../../core/context.ts'
import { ServiceError } from '../../../core/errors.ts'
import { newId } from '../../../core/id.ts'
import { inTransaction } from '../../../core/transaction.ts'
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
  rulePage,
} from './sql.ts'

/** Per tenant: each webhook may run the actions of all rules. */
export const maxRules = 100

/** In the order of creation. */
export async function listRules(context: Context, range: { after: string; limit: number }): Promise<Rule[]> {
  const rules = await rulePage(context.data, range)
  return rules.map((rule) => toRule(context, rule))
}

/** @throws ServiceError `notFound` */
export async function getRule({ data }: Context, id: string): Promise<StoredRule> {
  const rule = await findRule(data, id)
  if (rule === null) throw noSuchRule()
  return rule
}

/**
 * The action need not exist: its runs are then unhandled.
 * @throws ServiceError `invalid` when the tenant has too many rules
 */
export function createRule(context: Context, input: RuleInput): Promise<Rule> {
  return inTransaction(context, async (inside) => {
    await lockRules(inside.data)
    if ((await countRules(inside.data)) >= maxRules)
      throw new ServiceError('invalid', `A tenant has ${maxRules} rules at most.`)
    const { provider, eventType, action } = input
    const rule = { id: newId(), provider, eventType, action, isActive: true, createdAt: now(context) }
    await insertRule(inside.data, rule)
    await audit(inside, 'webhookRule.created', rule)
    return toRule(inside, rule)
  })
}

/** Omitted members stay unchanged. @throws ServiceError `notFound` */
export function updateRule(context: Context, id: string, input: RuleUpdate): Promise<Rule> {
  return inTransaction(context, async (inside) => {
    const rule = { ...(await lockRule(inside, id)), ...input }
    await replaceRule(inside.data, rule)
    await audit(inside, 'webhookRule.updated', rule)
    return toRule(inside, rule)
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
 * The active rules for an event, oldest first. A tenant may have more rules than the maximum, from a version without one;
 * the log reports rules that do not run.
 * @param provider in lower case
 */
export async function rulesFor(
  { data, shared, tenant }: Context,
  provider: string,
  type: string | null,
): Promise<StoredRule[]> {
  const rules = await activeRules(data, provider, maxRules + 1)
  if (rules.length > maxRules)
    shared.log.warn({ tenantId: tenant.id, provider, max: maxRules }, 'rules beyond the maximum not run')
  return rules.slice(0, maxRules).filter(({ eventType }) => matchesType(eventType, type ?? ''))
}

/** @param pattern a type, with `*` for any characters; users write it, so the duration depends only on the lengths */
export function matchesType(pattern: string, type: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === type
  if (!type.startsWith(first)) return false
  let position = first.length
  for (const piece of rest) {
    const found = type.indexOf(piece, position)
    if (found === -1) return false
    position = found + piece.length
  }
  return type.length - last.length >= position && type.endsWith(last)
}

function toRule({ shared }: Context, rule: StoredRule): Rule {
  return { ...rule, unknownAction: !shared.actions.declared.has(rule.action) }
}

async function lockRule(inside: Context, id: string): Promise<StoredRule> {
  const rule = await findRuleForUpdate(inside.data, id)
  if (rule === null) throw noSuchRule()
  return rule
}

function noSuchRule(): ServiceError {
  return new ServiceError('notFound', 'There is no such rule.')
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
