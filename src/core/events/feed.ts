/**
 * The events of a tenant as they were committed, for whoever follows them. A mark tells how far one has read; it holds
 * on every instance, so that one can go on where another has stopped, with nothing lost and nothing twice.
 */
import type { TenantData } from '../../database/data.ts'
import { present, serverOf } from '../../database/postgres/snapshot.ts'
import {
  beginning,
  type EventPosition,
  parsePosition,
  parseSnapshot,
  type SnapshotMark,
  unknownMark,
  writeMark,
} from './mark.ts'
import { eventsBehindPosition, eventsOutsideSnapshot, lastPosition } from './sql.ts'

export interface FeedEvent {
  id: string
  type: string
  /** JSON text. */
  data: string
  /** To go on behind this event. */
  mark: string
}

export interface Batch {
  events: FeedEvent[]
  /** To go on behind all of them. */
  mark: string
  /** There may be more at once. */
  isFull: boolean
}

/** The mark behind everything that is committed by now. */
export async function presentMark(data: TenantData): Promise<string> {
  if (data.executor.dialect === 'sqlite') return `${await lastPosition(data)}`
  const { server, snapshot } = await present(data.executor)
  return writeMark({ server, seen: snapshot, batch: null })
}

/**
 * @param mark as somebody brings it, who may have got it before the tenant was moved
 * @throws ServiceError `invalid` for one that was not given out by this kind of database, or by another server
 */
export async function refuseForeignMark(data: TenantData, mark: string): Promise<void> {
  if (data.executor.dialect === 'sqlite') parsePosition(mark)
  else if (parseSnapshot(mark).server !== (await serverOf(data.executor))) throw unknownMark()
}

/** @param mark one of this database */
export async function eventsAfter(data: TenantData, mark: string, limit: number): Promise<Batch> {
  return data.executor.dialect === 'sqlite'
    ? afterPosition(data, parsePosition(mark), limit)
    : afterSnapshot(data, parseSnapshot(mark), limit)
}

/**
 * What is behind one mark and not behind another.
 * @param mark the end of a batch
 * @param until likewise
 */
export async function eventsBetween(
  data: TenantData,
  mark: string,
  until: string,
  limit: number,
): Promise<Batch> {
  if (data.executor.dialect === 'sqlite') return afterPosition(data, parsePosition(mark), limit, until)
  const { server, seen } = parseSnapshot(mark)
  const { seen: snapshot } = parseSnapshot(until)
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
  const rows = await eventsBehindPosition(data, { after: position, until: parsePosition(until), limit })
  const events = rows.map((row) => ({ id: row.id, type: row.type, data: row.data, mark: `${row.position}` }))
  return { events, mark: events.at(-1)?.mark ?? `${position}`, isFull: rows.length === limit }
}

/**
 * On PostgreSQL a transaction may commit after one that began later. What is new is therefore what the snapshot of the
 * mark did not see, and never what merely has a higher number. It is read by the numbers of the transactions and told
 * in the order of the ids: of two that waited for each other the second has made its id after the commit of the first.
 */
async function afterSnapshot(data: TenantData, mark: SnapshotMark, limit: number): Promise<Batch> {
  const rows = await eventsOutsideSnapshot(data, mark, limit)
  const { server, seen, batch } = mark
  const page = batch?.page ?? null
  const end = page?.end ?? rows.at(-1)
  if (end === undefined) {
    const read = batch === null ? mark : { server, seen: batch.snapshot, batch: null }
    return { events: [], mark: writeMark(read), isFull: batch !== null }
  }
  const snapshot = batch?.snapshot ?? rows[0]?.snapshot ?? ''
  const isFull = page !== null || rows.length === limit
  const inside = (after: EventPosition, lastTold: string | null) => ({
    server,
    seen,
    batch: { snapshot, after, page: lastTold === null ? null : { end: placeOf(end), told: lastTold } },
  })
  const isBehind = isFull ? inside(placeOf(end), null) : { server, seen: snapshot, batch: null }
  const told = rows
    .filter((row) => page === null || (!isBeyond(row, page.end) && row.id > page.told))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const events = told.map(({ id, type, data: text }, index): FeedEvent => {
    const next = index === told.length - 1 ? isBehind : inside(batch?.after ?? beginning, id)
    return { id, type, data: text, mark: writeMark(next) }
  })
  return { events, mark: writeMark(isBehind), isFull: isFull || batch !== null }
}

function placeOf({ position, id }: EventPosition): EventPosition {
  return { position, id }
}

function isBeyond(row: EventPosition, end: EventPosition): boolean {
  return row.position > end.position || (row.position === end.position && row.id > end.id)
}
