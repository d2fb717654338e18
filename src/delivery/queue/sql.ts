import { sql } from 'kysely'
import type { QueueData } from '../../database/data.ts'
import { jsonRows } from '../../database/json-rows.ts'
import { prepareForAll } from '../../database/prepared.ts'
import type { TargetRow } from '../../subscription/target.ts'

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

interface GivenBack extends DeliveryKey {
  dueAt: string
}

const giveBack = prepareForAll((tables, p: { rows: string; lease: string }, dialect) =>
  tables
    .updateTable('delivery')
    .from(jsonRows<GivenBack, 'given'>(dialect, p.rows, { ...keyColumns, dueAt: 'timestamp' }, 'given'))
    .set(({ ref }) => ({ lease: null, next_at: ref('given.dueAt') }))
    .whereRef('delivery.tenant_id', '=', 'given.tenantId')
    .whereRef('delivery.id', '=', 'given.id')
    .where('lease', '=', p.lease),
)

/** Undoes a claim: the deliveries are due again as they were. */
export async function giveBackLeases(
  queue: QueueData,
  lease: string,
  rows: readonly GivenBack[],
): Promise<void> {
  const json = JSON.stringify(rows.map(({ tenantId, id, dueAt }) => ({ tenantId, id, dueAt })))
  await queue.change(giveBack, { rows: json, lease })
}

const endAllLeases = prepareForAll((tables, p: { now: string }) =>
  tables
    .updateTable('delivery')
    .set({ lease: null, next_at: p.now })
    .where('queue', 'is not', null)
    .where('lease', 'is not', null),
)

/** For a database that only one process serves: whoever held these leases is gone. */
export async function endLeases(queue: QueueData, now: string): Promise<void> {
  await queue.change(endAllLeases, { now })
}

const targets = prepareForAll((tables, p: { keys: string }, dialect) =>
  tables
    .selectFrom(jsonRows<DeliveryKey, 'given'>(dialect, p.keys, keyColumns, 'given'))
    .innerJoin('subscription', (join) =>
      join.onRef('subscription.tenant_id', '=', 'given.tenantId').onRef('subscription.id', '=', 'given.id'),
    )
    .select([
      'subscription.tenant_id',
      'subscription.id',
      'url',
      'secrets',
      'headers',
      'retry_seconds',
      'is_active',
      'deactivated_at',
    ]),
)

export function subscriptionsOf(queue: QueueData, keys: readonly DeliveryKey[]): Promise<TargetRow[]> {
  return queue.all(targets, { keys: JSON.stringify(keys.map(({ tenantId, id }) => ({ tenantId, id }))) })
}

const endLine = prepareForAll(
  (tables, p: { line: string; most: number; status: string; reason: string; now: string }) =>
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
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('delivery.tenant_id', 'delivery.id'),
          'in',
          selectFrom('delivery as inner')
            .select(['inner.tenant_id', 'inner.id'])
            .where('inner.queue', '=', p.line)
            .where('inner.next_at', '<=', p.now)
            .orderBy('inner.next_at')
            .limit(p.most)
            .$asTuple('tenant_id', 'id'),
        ),
      ),
)

/** Ends what is due in a line that leads nowhere any more; of a long line a part, and the rest stays due. */
export async function endDue(
  queue: QueueData,
  line: string,
  ending: { status: 'DEAD' | 'KEPT'; reason: string; now: string },
): Promise<void> {
  await queue.change(endLine, { line, most: 500, ...ending })
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
