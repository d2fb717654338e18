/** Statements that write the results of attempts. */
import { type Selectable, sql } from 'kysely'
import type { QueueData } from '../../../database/data.ts'
import {
  isGivenRow,
  type JsonColumns,
  jsonRows,
  keyRows,
  namesOf,
  type RowKey,
  rowKeyColumns,
} from '../../../database/json-rows.ts'
import { prepareForAll } from '../../../database/prepared.ts'
import type { AttemptTable } from '../table.ts'
import type { Health } from './health.ts'

/** The state of a delivery after an attempt. */
export interface DeliveryState {
  tenantId: string
  id: string
  /** The row is changed only if it still has this lease. */
  lease: string
  status: 'PENDING' | 'SUCCEEDED' | 'DEAD'
  attempts: number
  queue: string | null
  nextAt: string | null
  finishedAt: string | null
  reason: string | null
}

export type NewAttempt = Selectable<AttemptTable>

export interface SubscriptionHealth extends Health, RowKey {
  url: string
}

const stateColumns = {
  ...rowKeyColumns,
  lease: 'text',
  status: 'text',
  attempts: 'integer',
  queue: 'key',
  nextAt: 'timestamp',
  finishedAt: 'timestamp',
  reason: 'text',
} as const

const setState = prepareForAll((tables, p: { rows: string }, dialect) =>
  tables
    .updateTable('delivery')
    .from(jsonRows<DeliveryState>(dialect, p.rows, stateColumns))
    .set(({ ref }) => ({
      status: ref('given.status'),
      attempts: ref('given.attempts'),
      queue: ref('given.queue'),
      next_at: ref('given.nextAt'),
      lease: null,
      finished_at: ref('given.finishedAt'),
      reason: ref('given.reason'),
    }))
    .where(isGivenRow(dialect, 'delivery'))
    .whereRef('delivery.lease', '=', 'given.lease'),
)

/** Changes the deliveries that still have their lease. */
export async function updateDeliveries(queue: QueueData, rows: readonly DeliveryState[]): Promise<void> {
  await queue.change(setState, { rows: JSON.stringify(rows) })
}

const attemptColumns = {
  tenant_id: 'key',
  delivery_id: 'id',
  id: 'id',
  number: 'integer',
  started_at: 'timestamp',
  duration_ms: 'integer',
  outcome: 'text',
  error_class: 'text',
  status: 'integer',
  request_headers: 'text',
  response_headers: 'text',
  response_excerpt: 'text',
} as const satisfies Record<keyof NewAttempt, JsonColumns[string]>

const insert = prepareForAll((tables, p: { rows: string }, dialect) =>
  tables
    .insertInto('attempt')
    .columns(namesOf(attemptColumns))
    .expression((from) => from.selectFrom(jsonRows<NewAttempt>(dialect, p.rows, attemptColumns)).selectAll()),
)

export async function insertAttempts(queue: QueueData, rows: readonly NewAttempt[]): Promise<void> {
  await queue.change(insert, { rows: JSON.stringify(rows) })
}

const lockedHealth = prepareForAll((tables, p: { keys: string }, dialect) => {
  const query = tables
    .selectFrom(keyRows(dialect, p.keys))
    .innerJoin('subscription', (join) => join.on(isGivenRow(dialect, 'subscription')))
    .select([
      'subscription.tenant_id as tenantId',
      'subscription.id',
      'url',
      'success_count as successCount',
      'failure_count as failureCount',
      'last_success_at as lastSuccessAt',
      'last_failure_at as lastFailureAt',
      'failing_since as failingSince',
      'failing_days as failingDays',
      'warned_at as warnedAt',
    ])
    .orderBy('subscription.id')
  return dialect === 'postgres' ? query.forUpdate('subscription') : query
})

/** Locks the subscriptions until the transaction ends, by id everywhere: this prevents deadlocks. */
export function lockHealth(queue: QueueData, keys: readonly RowKey[]): Promise<SubscriptionHealth[]> {
  return queue.all(lockedHealth, { keys: JSON.stringify(keys) })
}

const healthColumns = {
  ...rowKeyColumns,
  successCount: 'integer',
  failureCount: 'integer',
  lastSuccessAt: 'timestamp',
  lastFailureAt: 'timestamp',
  failingSince: 'timestamp',
  failingDays: 'integer',
  warnedAt: 'timestamp',
} as const

const setHealth = prepareForAll((tables, p: { rows: string }, dialect) =>
  tables
    .updateTable('subscription')
    .from(jsonRows<SubscriptionHealth>(dialect, p.rows, healthColumns))
    .set(({ ref }) => ({
      success_count: ref('given.successCount'),
      failure_count: ref('given.failureCount'),
      last_success_at: ref('given.lastSuccessAt'),
      last_failure_at: ref('given.lastFailureAt'),
      failing_since: ref('given.failingSince'),
      failing_days: ref('given.failingDays'),
      warned_at: ref('given.warnedAt'),
    }))
    .where(isGivenRow(dialect, 'subscription')),
)

export async function writeHealth(queue: QueueData, rows: readonly SubscriptionHealth[]): Promise<void> {
  await queue.change(setHealth, { rows: JSON.stringify(rows) })
}

interface Deactivation extends RowKey {
  reason: string
  now: string
}

/** What a deactivation sets. While the statement is built, its values are placeholders. */
export function deactivated({ now, reason }: Omit<Deactivation, keyof RowKey>) {
  return {
    is_active: false,
    deactivated_at: now,
    deactivation_reason: reason,
    updated_at: now,
    version: sql<number>`version + 1`,
  }
}

const deactivate = prepareForAll((tables, p: Deactivation) =>
  tables
    .updateTable('subscription')
    .set(deactivated(p))
    .where('tenant_id', '=', p.tenantId)
    .where('id', '=', p.id)
    .where('is_active', '=', true),
)

/**
 * Deactivates a subscription. Its deliveries that become due are kept for a recovery; those in
 * progress end with their own result.
 * @returns whether the subscription was active
 */
export async function deactivateSubscription(queue: QueueData, deactivation: Deactivation): Promise<boolean> {
  return (await queue.change(deactivate, deactivation)) > 0
}
