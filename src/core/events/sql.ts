import { type SqlBool, sql } from 'kysely'
import type { TenantData } from '../../database/data.ts'
import { prepare } from '../../database/prepared.ts'
import type { SnapshotCursor } from './cursor.ts'

/** The statements of events: reading them after a position or a snapshot, and marking them as undispatched. */

export interface PositionedEvent {
  id: string
  type: string
  data: string
  state: string | null
  position: number
}

const stored = ['id', 'type', 'data'] as const
const columns = [...stored, 'state'] as const
/** The position, typed as not null: events from before positions existed are never selected by it. */
const position = sql<number>`position`.as('position')

const last = prepare((tables, _p: object) =>
  tables.selectFrom('event').select(({ fn }) => fn.max('position').as('position')),
)

/** @returns 0 if there is no event yet */
export async function lastPosition(data: TenantData): Promise<number> {
  return (await data.first(last, {}))?.position ?? 0
}

const afterPosition = prepare((tables, p: { after: number; until: number; limit: number }) =>
  tables
    .selectFrom('event')
    .select([...columns, position])
    .where('position', '>', p.after)
    .where('position', '<=', p.until)
    .orderBy('position')
    .limit(p.limit),
)

export function eventsAfterPosition(
  data: TenantData,
  range: { after: number; until: number; limit: number },
): Promise<PositionedEvent[]> {
  return data.all(afterPosition, range)
}

const beyond = prepare((tables, p: { after: number; events: number }) =>
  tables
    .selectFrom('event')
    .select('id')
    .where('position', '>', p.after)
    .orderBy('position')
    .limit(1)
    .offset(p.events),
)

export async function hasEventBeyond(
  data: TenantData,
  range: { after: number; events: number },
): Promise<boolean> {
  return (await data.first(beyond, range)) !== null
}

const transactionOf = sql`cast(cast(position as text) as xid8)`

const outside = prepare((tables, p: { seen: string; limit: number }) =>
  tables
    .selectFrom('event')
    .select([...columns, position, sql<string>`cast(pg_current_snapshot() as text)`.as('snapshot')])
    .where(unseen(p.seen))
    // Events of another server, whose dump was restored here, are in no snapshot of this one.
    .where(sql<SqlBool>`pg_visible_in_snapshot(${transactionOf}, pg_current_snapshot())`)
    .orderBy('position')
    .orderBy('id')
    .limit(p.limit),
)

const unseenBeyond = prepare((tables, p: { seen: string; events: number }) =>
  tables.selectFrom('event').select('id').where(unseen(p.seen)).limit(1).offset(p.events),
)

export async function hasUnseenBeyond(
  data: TenantData,
  range: { seen: string; events: number },
): Promise<boolean> {
  return (await data.first(unseenBeyond, range)) !== null
}

interface InsideBatch {
  seen: string
  snapshot: string
  position: number
  id: string
  limit: number
}

const restOfBatch = prepare((tables, p: InsideBatch) =>
  tables
    .selectFrom('event')
    .select([...columns, position, sql<string>`cast(${p.snapshot} as text)`.as('snapshot')])
    .where(unseen(p.seen))
    .where(sql<SqlBool>`pg_visible_in_snapshot(${transactionOf}, cast(${p.snapshot} as pg_snapshot))`)
    .where(sql<SqlBool>`(position, id) > (cast(${p.position} as bigint), ${p.id})`)
    .orderBy('position')
    .orderBy('id')
    .limit(p.limit),
)

/** @returns the events with the snapshot that saw them; a batch is read to its end before newer events */
export function eventsOutsideSnapshot(
  data: TenantData,
  { seen, batch }: SnapshotCursor,
  limit: number,
): Promise<(PositionedEvent & { snapshot: string })[]> {
  return batch === null
    ? data.all(outside, { seen, limit })
    : data.all(restOfBatch, { seen, limit, snapshot: batch.snapshot, ...batch.after })
}

function unseen(seen: string) {
  return sql<SqlBool>`position >= cast(cast(pg_snapshot_xmin(cast(${seen} as pg_snapshot)) as text) as bigint)
    and not pg_visible_in_snapshot(${transactionOf}, cast(${seen} as pg_snapshot))`
}

const undispatched = prepare((tables, _p: object) =>
  tables.selectFrom('event').select('id').where('dispatched_at', 'is', null).orderBy('id'),
)

export async function undispatchedIds(data: TenantData): Promise<string[]> {
  return (await data.all(undispatched, {})).map(({ id }) => id)
}

export async function markUndispatched(data: TenantData, ids: readonly string[]): Promise<void> {
  await data.kysely.updateTable('event').set({ dispatched_at: null }).where('id', 'in', ids).execute()
}

const oldest = prepare((tables, p: { limit: number }) =>
  tables.selectFrom('event').select(stored).orderBy('id').limit(p.limit),
)

export function storedEvents(
  data: TenantData,
  limit: number,
): Promise<Pick<PositionedEvent, 'id' | 'type' | 'data'>[]> {
  return data.all(oldest, { limit })
}
