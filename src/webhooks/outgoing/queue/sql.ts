import { sql } from 'kysely'
import type { QueueData } from '../../../database/data.ts'
import { jsonRows, lookedUp } from '../../../database/json-rows.ts'
import { prepareForAll } from '../../../database/prepared.ts'
import type { TargetRow } from '../../subscriptions/target.ts'

export interface LineDue {
  line: string
  dueAt: string
}

/** A delivery that may be sent now, with its event. */
export interface DueDelivery {
  tenantId: string
  id: string
  subscriptionId: string
  line: string
  dueAt: string
  attempts: number
  attemptsBefore: number
  eventId: string
  eventType: string
  eventAt: string
  hops: number
  /** What has begun the chain of webhooks that led to the event. */
  origin: string | null
  data: string
  /** What its data takes. */
  bytes: number
}

/** From line to line by the index, whatever number of deliveries waits in each. */
const walk = prepareForAll((tables, p: { after: string; limit: number }) =>
  tables
    .withRecursive('walk(line)', (query) =>
      query
        .selectFrom('delivery')
        .select(({ fn }) => fn.min('queue').as('line'))
        .where('queue', '>', p.after)
        .unionAll(
          query
            .selectFrom('walk')
            .select(({ selectFrom }) =>
              selectFrom('delivery')
                .select(({ fn }) => fn.min('delivery.queue').as('line'))
                .whereRef('delivery.queue', '>', 'walk.line')
                .as('line'),
            )
            .where('walk.line', 'is not', null),
        ),
    )
    .selectFrom('walk')
    .select(({ selectFrom }) => [
      sql<string>`line`.as('line'),
      selectFrom('delivery')
        .select('next_at')
        .whereRef('delivery.queue', '=', 'walk.line')
        .orderBy('next_at')
        .limit(1)
        .as('dueAt'),
    ])
    .where('line', 'is not', null)
    .limit(p.limit),
)

/** @param after the name of the last line seen, or empty */
export async function linesFrom(queue: QueueData, after: string, limit: number): Promise<LineDue[]> {
  const rows = await queue.all(walk, { after, limit })
  // Between the two looks at a line its last delivery may have gone.
  return rows.flatMap(({ line, dueAt }) => (dueAt === null ? [] : [{ line, dueAt }]))
}

export interface DeliveryKey {
  tenantId: string
  id: string
}

export const keyColumns = { tenantId: 'key', id: 'id' } as const

const targetColumns = [
  'subscription.tenant_id',
  'subscription.id',
  'url',
  'secrets',
  'headers',
  'retry_seconds',
  'is_active',
  'deactivated_at',
] as const

const targets = prepareForAll((tables, p: { keys: string }, dialect) =>
  tables
    .selectFrom(jsonRows<DeliveryKey, 'given'>(dialect, p.keys, keyColumns, 'given'))
    .innerJoin('subscription', (join) =>
      join
        .on(lookedUp(dialect, 'subscription.tenant_id', 'given.tenantId'))
        .on(lookedUp(dialect, 'subscription.id', 'given.id')),
    )
    .select(targetColumns),
)

export function subscriptionsOf(queue: QueueData, keys: readonly DeliveryKey[]): Promise<TargetRow[]> {
  return queue.all(targets, { keys: keyList(keys) })
}

const lockedTargets = prepareForAll((tables, p: { keys: string }, dialect) => {
  const query = tables
    .selectFrom(jsonRows<DeliveryKey, 'given'>(dialect, p.keys, keyColumns, 'given'))
    .innerJoin('subscription', (join) =>
      join
        .on(lookedUp(dialect, 'subscription.tenant_id', 'given.tenantId'))
        .on(lookedUp(dialect, 'subscription.id', 'given.id')),
    )
    .select(targetColumns)
    .orderBy('subscription.id')
  return dialect === 'postgres' ? query.forShare('subscription') : query // SQLite's writer is alone anyway
})

/** As they are now, and stay until the transaction ends. In one order everywhere, and before any delivery is changed. */
export function lockSubscriptions(queue: QueueData, keys: readonly DeliveryKey[]): Promise<TargetRow[]> {
  return queue.all(lockedTargets, { keys: keyList(keys) })
}

function keyList(keys: readonly DeliveryKey[]): string {
  return JSON.stringify(keys.map(({ tenantId, id }) => ({ tenantId, id })))
}

const endLine = prepareForAll(
  (tables, p: { line: string; most: number; status: string; reason: string; now: string }, dialect) =>
    tables
      .updateTable('delivery')
      .set({
        queue: null,
        next_at: null,
        lease: null,
        status: p.status,
        reason: p.reason,
        finished_at: p.now,
      })
      .from((from) =>
        from
          .selectFrom('delivery as inner')
          .select(['inner.tenant_id', 'inner.id'])
          .where('inner.queue', '=', p.line)
          .where('inner.next_at', '<=', p.now)
          .orderBy('inner.next_at')
          .limit(p.most)
          // What another instance is just claiming, or recording, is not ours to end.
          .$if(dialect === 'postgres', (due) => due.forUpdate().skipLocked())
          .as('due'),
      )
      .where(lookedUp(dialect, 'delivery.tenant_id', 'due.tenant_id'))
      .where(lookedUp(dialect, 'delivery.id', 'due.id')),
)

/**
 * Ends what is due in a line that leads nowhere any more; of a long line a part, and the rest stays due.
 * @returns how many it has ended
 */
export function endDue(
  queue: QueueData,
  line: string,
  ending: { status: 'DEAD' | 'KEPT'; reason: string; now: string; most: number },
): Promise<number> {
  return queue.change(endLine, { line, ...ending })
}

const nextOf = prepareForAll((tables, p: { lines: string }, dialect) =>
  tables
    .selectFrom(jsonRows<{ line: string }, 'given'>(dialect, p.lines, { line: 'key' }, 'given'))
    .select(({ selectFrom }) => [
      'line',
      selectFrom('delivery')
        .select('next_at')
        .whereRef('delivery.queue', '=', 'given.line')
        .orderBy('next_at')
        .limit(1)
        .as('dueAt'),
    ]),
)

/** When each of these lines is due next, `null` for an empty one. */
export function nextOfLines(
  queue: QueueData,
  lines: readonly string[],
): Promise<{ line: string; dueAt: string | null }[]> {
  return queue.all(nextOf, { lines: JSON.stringify(lines.map((line) => ({ line }))) })
}
