import type { TenantData } from '../../../database/data.ts'
import { lockedIn } from '../../../database/locked-rows.ts'
import { prepare } from '../../../database/prepared.ts'
import { lockForTenant } from '../../../database/tenant-lock.ts'
import type { StoredRule } from './schema.ts'

const columns = [
  'id',
  'provider',
  'event_type as eventType',
  'action',
  'owner',
  'is_active as isActive',
  'created_at as createdAt',
] as const

type RuleRow = StoredRule & { providerKey: string }

const byId = prepare((tables, p: { id: string }) =>
  tables.selectFrom('webhook_rule').select(columns).where('id', '=', p.id),
)

const byIdLocked = prepare((tables, p: { id: string }, dialect) =>
  tables.selectFrom('webhook_rule').select(columns).where('id', '=', p.id).$call(lockedIn(dialect)),
)

const idsOfOwner = prepare((tables, p: { owner: string }) =>
  tables.selectFrom('webhook_rule').select('id').where('owner', '=', p.owner).orderBy('id'),
)

const count = prepare((tables) =>
  tables.selectFrom('webhook_rule').select(({ fn }) => fn.countAll<number>().as('number')),
)

const activeOf = prepare((tables, p: { providerKey: string; limit: number }) =>
  tables
    .selectFrom('webhook_rule')
    .select(columns)
    .where('provider_key', '=', p.providerKey)
    .where('is_active', '=', true)
    .orderBy('id')
    .limit(p.limit),
)

function changing(p: RuleRow) {
  return {
    provider: p.provider,
    provider_key: p.providerKey,
    event_type: p.eventType,
    action: p.action,
    owner: p.owner,
    is_active: p.isActive,
  }
}

const insert = prepare((tables, p: RuleRow) =>
  tables.insertInto('webhook_rule').values({
    ...changing(p),
    id: p.id,
    created_at: p.createdAt,
  }),
)

const replace = prepare((tables, p: RuleRow) =>
  tables.updateTable('webhook_rule').set(changing(p)).where('id', '=', p.id),
)

const remove = prepare((tables, p: { id: string }) =>
  tables.deleteFrom('webhook_rule').where('id', '=', p.id),
)

/** Locks the rule: until this transaction ends, no other transaction changes it. */
export function findRuleForUpdate(data: TenantData, id: string): Promise<StoredRule | null> {
  return data.first(byIdLocked, { id })
}

export function findRule(data: TenantData, id: string): Promise<StoredRule | null> {
  return data.first(byId, { id })
}

/** Without a limit: a tenant has few rules. */
export async function ruleIdsOf(data: TenantData, owner: string): Promise<string[]> {
  return (await data.all(idsOfOwner, { owner })).map(({ id }) => id)
}

/** Oldest first. @param providerKey in lower case */
export function activeRules(data: TenantData, providerKey: string, limit: number): Promise<StoredRule[]> {
  return data.all(activeOf, { providerKey, limit })
}

/** Locks the rules of the tenant: until this transaction ends, no other transaction adds one. */
export async function lockRules(data: TenantData): Promise<void> {
  await lockForTenant(data, 'rules')
}

export async function countRules(data: TenantData): Promise<number> {
  return (await data.first(count, {}))?.number ?? 0
}

export async function insertRule(data: TenantData, rule: StoredRule): Promise<void> {
  await data.change(insert, toRow(rule))
}

export async function replaceRule(data: TenantData, rule: StoredRule): Promise<void> {
  await data.change(replace, toRow(rule))
}

export async function deleteRuleRow(data: TenantData, id: string): Promise<void> {
  await data.change(remove, { id })
}

function toRow(rule: StoredRule): RuleRow {
  return { ...rule, providerKey: rule.provider.toLowerCase() }
}
