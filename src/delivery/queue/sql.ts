import { type SelectQueryBuilder, sql } from 'kysely'
import type { QueueData } from '../../database/data.ts'
import { jsonRows } from '../../database/json-rows.ts'
import { prepareForAll } from '../../database/prepared.ts'
import type { QueueTables } from '../../database/tables.ts'
import type { TargetRow } from '../../subscription/target.ts'
import type { Grant } from './agenda.ts'

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

const grantColumns = { line: 'key', most: 'integer' } as const

const dueColumns = [
  'delivery.tenant_id as tenantId',
  'delivery.id',
  'delivery.subscription_id as subscriptionId',
  'delivery.queue as line',
  'delivery.next_at as dueAt',
  'delivery.attempts',
  'delivery.attempts_before as attemptsBefore',
  'delivery.event_id as eventId',
  'event.type as eventType',
  'event.created_at as eventAt',
  'event.hops',
  'event.data',
] as const

/** The most urgent ones of one line, for SQLite: its LIMIT takes no column. */
const dueOfLine = prepareForAll((tables, p: Grant & { now: string }) =>
  withEvents(
    tables.selectFrom((from) =>
      from
        .selectFrom('delivery as inner')
        .select(['inner.tenant_id', 'inner.id'])
        .where('inner.queue', '=', p.line)
        .where('inner.next_at', '<=', p.now)
        .orderBy('inner.next_at')
        .orderBy('inner.id')
        .limit(p.most)
        .as('due'),
    ),
  ),
)

/** The same of many lines at once, for PostgreSQL: those that nobody else is about to take. */
const dueOfLines = prepareForAll((tables, p: { grants: string; now: string }, dialect) =>
  withEvents(
    tables.selectFrom((from) =>
      from
        .selectFrom(jsonRows<Grant, 'granted'>(dialect, p.grants, grantColumns, 'granted'))
        .innerJoinLateral(
          (one) =>
            one
              .selectFrom('delivery as inner')
              .select(['inner.tenant_id', 'inner.id'])
              .whereRef('inner.queue', '=', 'granted.line')
              .where('inner.next_at', '<=', p.now)
              .orderBy('inner.next_at')
              .orderBy('inner.id')
              .limit(sql<number>`granted.most`)
              .forUpdate()
              .skipLocked()
              .as('taken'),
          (join) => join.onTrue(),
        )
        .select(['taken.tenant_id', 'taken.id'])
        .as('due'),
    ),
  ),
)

type Due = SelectQueryBuilder<QueueTables & { due: { tenant_id: string; id: string } }, 'due', object>

function withEvents(due: Due) {
  return due
    .innerJoin('delivery', (join) =>
      join.onRef('delivery.tenant_id', '=', 'due.tenant_id').onRef('delivery.id', '=', 'due.id'),
    )
    .innerJoin('event', (join) =>
      join.onRef('event.tenant_id', '=', 'delivery.tenant_id').onRef('event.id', '=', 'delivery.event_id'),
    )
    .select(dueColumns)
}

const takeLease = prepareForAll((tables, p: { keys: string; lease: string; until: string }, dialect) =>
  tables
    .updateTable('delivery')
    .set({ lease: p.lease, next_at: p.until })
    .from(jsonRows<DeliveryKey, 'given'>(dialect, p.keys, keyColumns, 'given'))
    .whereRef('delivery.tenant_id', '=', 'given.tenantId')
    .whereRef('delivery.id', '=', 'given.id'),
)

interface DeliveryKey {
  tenantId: string
  id: string
}

const keyColumns = { tenantId: 'key', id: 'id' } as const

/** Takes what is due within the grants: nobody else gets it until the lease ends. To be called in a transaction. */
export async function claimDue(
  queue: QueueData,
  grants: readonly Grant[],
  claim: { now: string; lease: string; until: string },
): Promise<DueDelivery[]> {
  const found = await dueWithin(queue, grants, claim.now)
  if (found.length === 0) return []
  await queue.change(takeLease, { keys: keyList(found), lease: claim.lease, until: claim.until })
  return found
    .map((row) => ({ ...row, line: row.line ?? '', dueAt: row.dueAt ?? claim.now })) // it waits: neither is null
    .toSorted((a, b) => (a.dueAt === b.dueAt ? (a.id < b.id ? -1 : 1) : a.dueAt < b.dueAt ? -1 : 1))
}

async function dueWithin(queue: QueueData, grants: readonly Grant[], now: string) {
  if (queue.executor.dialect === 'postgres') {
    return queue.all(dueOfLines, { grants: JSON.stringify(grants), now })
  }
  return (await Promise.all(grants.map((grant) => queue.all(dueOfLine, { ...grant, now })))).flat()
}

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
      join.onRef('subscription.tenant_id', '=', 'given.tenantId').onRef('subscription.id', '=', 'given.id'),
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
      join.onRef('subscription.tenant_id', '=', 'given.tenantId').onRef('subscription.id', '=', 'given.id'),
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
            // What another instance is just claiming, or recording, is not ours to end.
            .$if(dialect === 'postgres', (due) => due.forUpdate().skipLocked())
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
