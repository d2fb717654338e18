/**
 * Reads the events of a tenant in the order of their commits, for subscribers. A cursor is the position of a reader.
 * It is valid on every instance: a reader that continues on another instance neither misses an event nor gets one
 * twice.
 */
import type { TenantData } from '../../database/data.ts'
import { currentSnapshot, serverIdentifier } from '../../database/postgres/server.ts'
import {
  beginning,
  type EventPosition,
  formatCursor,
  invalidCursor,
  parsePositionCursor,
  parseSnapshotCursor,
  type SnapshotCursor,
} from './cursor.ts'
import {
  eventsAfterPosition,
  eventsOutsideSnapshot,
  hasEventBeyond,
  hasUnseenBeyond,
  lastPosition,
} from './sql.ts'

export interface FeedEvent {
  id: string
  type: string
  /** JSON text. */
  data: string
  /** See `EventState`; `null` for an event without one. */
  state: string | null
  /** The cursor after this event. */
  cursor: string
}

export interface Batch {
  events: FeedEvent[]
  /** The cursor after all events of the batch. */
  cursor: string
  /** Whether more events may be available at once. */
  isFull: boolean
}

/** The cursor after everything that is committed now. */
export async function currentCursor(data: TenantData): Promise<string> {
  if (data.executor.dialect === 'sqlite') return `${await lastPosition(data)}`
  const { server, snapshot } = await currentSnapshot(data.executor)
  return formatCursor({ server, seen: snapshot, batch: null })
}

/**
 * @param cursor from a client, which may have got it before the tenant was moved
 * @throws ServiceError `invalid` for a cursor of another kind of database, or of another server
 */
export async function refuseForeignCursor(data: TenantData, cursor: string): Promise<void> {
  if (data.executor.dialect === 'sqlite') parsePositionCursor(cursor)
  else if (parseSnapshotCursor(cursor).server !== (await serverIdentifier(data.executor)))
    throw invalidCursor()
}

/**
 * Whether the cursor is ahead of this database, as after a restore of an older backup.
 * @param cursor of this database
 */
export async function isBeyond(data: TenantData, cursor: string): Promise<boolean> {
  const present = await currentCursor(data)
  if (data.executor.dialect === 'sqlite') return parsePositionCursor(cursor) > parsePositionCursor(present)
  const { seen, batch } = parseSnapshotCursor(cursor)
  return endOf(batch?.snapshot ?? seen) > endOf(parseSnapshotCursor(present).seen)
}

/** @returns the number of the first transaction that had not begun at a snapshot */
function endOf(snapshot: string): number {
  return Number(snapshot.split(':')[1])
}

/** @param cursor of this database */
export async function eventsAfter(data: TenantData, cursor: string, limit: number): Promise<Batch> {
  return data.executor.dialect === 'sqlite'
    ? afterPosition(data, parsePositionCursor(cursor), limit)
    : afterSnapshot(data, parseSnapshotCursor(cursor), limit)
}

/**
 * Whether more than so many events follow the cursor. On PostgreSQL a cursor in the middle of a batch counts the events
 * of that batch which were read already.
 */
export async function hasMoreAfter(data: TenantData, cursor: string, events: number): Promise<boolean> {
  if (data.executor.dialect === 'sqlite')
    return hasEventBeyond(data, { after: parsePositionCursor(cursor), events })
  return hasUnseenBeyond(data, { seen: parseSnapshotCursor(cursor).seen, events })
}

/** Reads the events after one cursor and up to another. @param cursor of a batch @param until of a later batch */
export async function eventsBetween(
  data: TenantData,
  cursor: string,
  until: string,
  limit: number,
): Promise<Batch> {
  if (data.executor.dialect === 'sqlite')
    return afterPosition(data, parsePositionCursor(cursor), limit, until)
  const { server, seen } = parseSnapshotCursor(cursor)
  const { seen: snapshot } = parseSnapshotCursor(until)
  const inside = { server, seen, batch: { snapshot, after: beginning, page: null } }
  const batch = await afterSnapshot(data, inside, limit)
  return { ...batch, isFull: batch.events.length === limit }
}

/** On SQLite transactions commit one after the other, and positions grow with them. */
async function afterPosition(
  data: TenantData,
  position: number,
  limit: number,
  until = `${Number.MAX_SAFE_INTEGER}`,
): Promise<Batch> {
  const range = { after: position, until: parsePositionCursor(until), limit }
  const rows = await eventsAfterPosition(data, range)
  const events = rows.map((row) => ({
    id: row.id,
    type: row.type,
    data: row.data,
    state: row.state,
    cursor: `${row.position}`,
  }))
  return { events, cursor: events.at(-1)?.cursor ?? `${position}`, isFull: rows.length === limit }
}

/**
 * On PostgreSQL a transaction may commit after one that began later. New events are therefore those that the cursor's
 * snapshot did not see, not those with a higher number. Events are read by transaction number and returned by id: of
 * two transactions that waited for each other, the second creates its id after the first has committed.
 */
async function afterSnapshot(data: TenantData, cursor: SnapshotCursor, limit: number): Promise<Batch> {
  const rows = await eventsOutsideSnapshot(data, cursor, limit)
  const { server, seen, batch } = cursor
  const page = batch?.page ?? null
  const end = page?.end ?? rows.at(-1)
  if (end === undefined) {
    const read = batch === null ? cursor : { server, seen: batch.snapshot, batch: null }
    return { events: [], cursor: formatCursor(read), isFull: batch !== null }
  }
  const snapshot = batch?.snapshot ?? rows[0]?.snapshot ?? ''
  const isFull = page !== null || rows.length === limit
  const inside = (after: EventPosition, lastSentId: string | null) => ({
    server,
    seen,
    batch: { snapshot, after, page: lastSentId === null ? null : { end: positionOf(end), lastSentId } },
  })
  const afterPage = isFull ? inside(positionOf(end), null) : { server, seen: snapshot, batch: null }
  const unsent = rows
    .filter((row) => page === null || (!isAfter(row, page.end) && row.id > page.lastSentId))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const events = unsent.map(({ id, type, data: text, state }, index): FeedEvent => {
    const next = index === unsent.length - 1 ? afterPage : inside(batch?.after ?? beginning, id)
    return { id, type, data: text, state, cursor: formatCursor(next) }
  })
  return { events, cursor: formatCursor(afterPage), isFull: isFull || batch !== null }
}

function positionOf({ position, id }: EventPosition): EventPosition {
  return { position, id }
}

function isAfter(row: EventPosition, end: EventPosition): boolean {
  return row.position > end.position || (row.position === end.position && row.id > end.id)
}
