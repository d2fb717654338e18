/** Statements on the subscriptions of a tenant. Those of the queue are in `outgoing/queue/subscription`. */
import type { Selectable } from 'kysely'
import type { TenantData } from '../../database/data.ts'
import { lockedIn } from '../../database/locked-rows.ts'
import { pick, prepare } from '../../database/prepared.ts'
import { lockForTenant } from '../../database/tenant-lock.ts'
import type { SubscriptionTable } from './table.ts'

/** The columns that a user's change may write. Deliveries write the counters. */
const changing = [
  'url',
  'events',
  'owner',
  'access',
  'customer',
  'secrets',
  'headers',
  'retry_seconds',
  'is_active',
  'updated_at',
  'version',
  'failing_since',
  'failing_days',
  'warned_at',
  'deactivated_at',
  'deactivation_reason',
] as const

const columns = [
  ...changing,
  'id',
  'created_at',
  'success_count',
  'failure_count',
  'last_success_at',
  'last_failure_at',
] as const

export type SubscriptionRow = Pick<Selectable<SubscriptionTable>, (typeof columns)[number]>

const byId = prepare((tables, p: { id: string }) =>
  tables.selectFrom('subscription').select(columns).where('id', '=', p.id),
)

const byIdLocked = prepare((tables, p: { id: string }, dialect) =>
  tables.selectFrom('subscription').select(columns).where('id', '=', p.id).$call(lockedIn(dialect)),
)

const idsOfCustomer = prepare((tables, p: { customer: string }) =>
  tables.selectFrom('subscription').select('id').where('customer', '=', p.customer).orderBy('id'),
)

const idsOfOwner = prepare((tables, p: { owner: string }) =>
  tables.selectFrom('subscription').select('id').where('owner', '=', p.owner).orderBy('id'),
)

const count = prepare((tables, _p: object) =>
  tables.selectFrom('subscription').select(({ fn }) => fn.countAll<number>().as('number')),
)

const insert = prepare((tables, p: SubscriptionRow) =>
  tables.insertInto('subscription').values(pick(p, columns)),
)

const replace = prepare((tables, p: SubscriptionRow) =>
  tables.updateTable('subscription').set(pick(p, changing)).where('id', '=', p.id),
)

const remove = prepare((tables, p: { id: string }) =>
  tables.deleteFrom('subscription').where('id', '=', p.id),
)

export function findSubscription(data: TenantData, id: string): Promise<SubscriptionRow | null> {
  return data.first(byId, { id })
}

export function findSubscriptionForUpdate(data: TenantData, id: string): Promise<SubscriptionRow | null> {
  return data.first(byIdLocked, { id })
}

/** Which subscriptions an actor may see: those of a customer, those of an owner, or all. */
export type Reach = { customer: string } | { owner: string } | 'all'

/** Without a limit: a tenant has few subscriptions. */
export async function subscriptionIds(data: TenantData, reach: Exclude<Reach, 'all'>): Promise<string[]> {
  const rows = await ('owner' in reach ? data.all(idsOfOwner, reach) : data.all(idsOfCustomer, reach))
  return rows.map(({ id }) => id)
}

/**
 * Until this transaction ends, no other transaction creates a subscription or records an event. An event is therefore
 * either committed before a new subscription, or recorded by a transaction that sees the subscription.
 */
export async function lockEvents(data: TenantData): Promise<void> {
  await lockForTenant(data, 'subscriptions')
}

/** The number cannot change while the events are locked. */
export async function countSubscriptions(data: TenantData): Promise<number> {
  return (await data.first(count, {}))?.number ?? 0
}

export async function insertSubscription(data: TenantData, row: SubscriptionRow): Promise<void> {
  await data.change(insert, row)
}

export async function replaceSubscription(data: TenantData, row: SubscriptionRow): Promise<void> {
  await data.change(replace, row)
}

export async function deleteSubscriptionRow(data: TenantData, id: string): Promise<void> {
  await data.change(remove, { id })
}
