/** Statements on the subscriptions of claimed deliveries, and on deliveries that can no longer be sent. */
import type { QueueData } from '../../../../database/data.ts'
import { equalByIndex, isGivenRow, jsonOfKeys, keyRows, type RowKey } from '../../../../database/json-rows.ts'
import { prepareForAll } from '../../../../database/prepared.ts'
import type { TargetRow } from '../../../subscriptions/target.ts'
import { deactivated } from '../../result/sql.ts'

const targetColumns = [
  'subscription.tenant_id',
  'subscription.id',
  'url',
  'owner',
  'access',
  'customer',
  'events',
  'secrets',
  'headers',
  'retry_seconds',
  'is_active',
  'deactivated_at',
] as const

const targets = prepareForAll((tables, p: { keys: string }, dialect) =>
  tables
    .selectFrom(keyRows(dialect, p.keys))
    .innerJoin('subscription', (join) => join.on(isGivenRow(dialect, 'subscription')))
    .select(targetColumns),
)

export function subscriptionsOf(queue: QueueData, keys: readonly RowKey[]): Promise<TargetRow[]> {
  return queue.all(targets, { keys: jsonOfKeys(keys) })
}

const lockedTargets = prepareForAll((tables, p: { keys: string }, dialect) => {
  const query = tables
    .selectFrom(keyRows(dialect, p.keys))
    .innerJoin('subscription', (join) => join.on(isGivenRow(dialect, 'subscription')))
    .select(targetColumns)
    .orderBy('subscription.id')
  return dialect === 'postgres' ? query.forShare('subscription') : query // SQLite has one writer anyway
})

/** Locks the subscriptions until the transaction ends: by id and before any delivery, to prevent deadlocks. */
export function lockSubscriptions(queue: QueueData, keys: readonly RowKey[]): Promise<TargetRow[]> {
  return queue.all(lockedTargets, { keys: jsonOfKeys(keys) })
}

type Ended = { status: string; reason: string; now: string }

function ended({ status, reason, now }: Ended) {
  return { queue: null, next_at: null, lease: null, status, reason, finished_at: now }
}

type Ending = Ended & { key: string; max: number }

const endKey = prepareForAll((tables, p: Ending, dialect) =>
  tables
    .updateTable('delivery')
    .set(ended(p))
    .from((from) =>
      from
        .selectFrom('delivery as inner')
        .select(['inner.tenant_id', 'inner.id'])
        .where('inner.queue', '=', p.key)
        .where('inner.next_at', '<=', p.now)
        .orderBy('inner.next_at')
        .limit(p.max)
        // Skips deliveries that another instance is claiming or recording.
        .$if(dialect === 'postgres', (due) => due.forUpdate().skipLocked())
        .as('due'),
    )
    .where(equalByIndex(dialect, 'delivery.tenant_id', 'due.tenant_id'))
    .where(equalByIndex(dialect, 'delivery.id', 'due.id')),
)

type EndingOfSome = Ended & { keys: string }

const endSome = prepareForAll((tables, p: EndingOfSome, dialect) =>
  tables
    .updateTable('delivery')
    .set(ended(p))
    .from(keyRows(dialect, p.keys))
    .where(isGivenRow(dialect, 'delivery')),
)

/** Ends deliveries that this transaction has found due. */
export async function endDeliveries(
  queue: QueueData,
  keys: readonly RowKey[],
  ending: { status: 'KEPT'; reason: string; now: string },
): Promise<void> {
  if (keys.length > 0) await queue.change(endSome, { keys: jsonOfKeys(keys), ...ending })
}

/**
 * Ends due deliveries of a key whose subscription accepts none. The rest stays due.
 * @returns the number of ended deliveries
 */
export function endDueDeliveries(
  queue: QueueData,
  key: string,
  ending: { status: 'DEAD' | 'KEPT'; reason: string; now: string; max: number },
): Promise<number> {
  return queue.change(endKey, { key, ...ending })
}

/** A subscription that is to be deactivated because of its owner. */
export interface LostSubscription {
  tenantId: string
  id: string
  owner: string
  /**
   * `ownerGone`: the owner was deleted, deactivated, revoked or expired.
   * `forbidden`: it may see none of the events.
   */
  reason: 'ownerGone' | 'forbidden'
}

const deactivateOwned = prepareForAll((tables, p: LostSubscription & { now: string }) =>
  tables
    .updateTable('subscription')
    .set(deactivated(p))
    .where('tenant_id', '=', p.tenantId)
    .where('id', '=', p.id)
    .where('owner', '=', p.owner)
    .where('is_active', '=', true)
    .returning(['url', 'failing_since as failingSince']),
)

/** Deactivates the subscription. @returns `null` if it is not active any more, or belongs to somebody else */
export async function deactivateOf(
  queue: QueueData,
  lost: LostSubscription & { now: string },
): Promise<{ url: string; failingSince: string | null } | null> {
  const [found] = await queue.all(deactivateOwned, lost)
  return found ?? null
}
