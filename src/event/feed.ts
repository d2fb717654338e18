/**
 * The events of a tenant as they were committed, for whoever follows them. A mark tells how far one has read; it holds
 * on every instance, so that one can go on where another has stopped, with nothing lost and nothing twice.
 */
import type { TenantData } from '../database/data.ts'
import { presentSnapshot } from '../database/postgres/snapshot.ts'
import { parsePosition, parseSnapshot, type SnapshotMark, writeMark } from './mark.ts'
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
  return data.executor.dialect === 'sqlite'
    ? `${await lastPosition(data)}`
    : writeMark({ seen: await presentSnapshot(data.executor), batch: null })
}

/** @throws ServiceError `invalid` for a mark that was not given out by a database of this kind */
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
  const { seen } = parseSnapshot(mark)
  const { seen: snapshot } = parseSnapshot(until)
  const batch = await afterSnapshot(data, { seen, batch: { snapshot, position: 0, id: '' } }, limit)
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
 * mark did not see, and never what merely has a higher number.
 */
async function afterSnapshot(data: TenantData, mark: SnapshotMark, limit: number): Promise<Batch> {
  const rows = await eventsOutsideSnapshot(data, mark, limit)
  const isFull = rows.length === limit
  const events = rows.map((row, index): FeedEvent => {
    const { id, type, snapshot, position } = row
    const isLast = index === rows.length - 1 && !isFull
    const next = isLast
      ? { seen: snapshot, batch: null }
      : { seen: mark.seen, batch: { snapshot, position, id } }
    return { id, type, data: row.data, mark: writeMark(next) }
  })
  const end = mark.batch === null ? mark : { seen: mark.batch.snapshot, batch: null }
  return { events, mark: events.at(-1)?.mark ?? writeMark(end), isFull: isFull || mark.batch !== null }
}
