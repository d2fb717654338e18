/**
 * Writes and reads event cursors, the position of a reader in the events of a tenant. On SQLite a cursor is a
 * number. On PostgreSQL it has a snapshot of committed transactions, and the progress in the events since then.
 */
import { refusal, type ServiceError } from '../errors.ts'

/** The position of an event within a batch. */
export interface EventPosition {
  position: number
  id: string
}

export interface SnapshotCursor {
  /** The identifier of the server: snapshots are valid on this server only. */
  server: string
  /** A `pg_snapshot` as text: the reader has read all events of the transactions that it sees. */
  seen: string
  /**
   * The events of a later snapshot, while the reader is in the middle of them. The reader has read the events up to
   * `after`, and a part of the page after that; `null` if the reader has read all events that `seen` sees and no
   * others.
   */
  batch: { snapshot: string; after: EventPosition; page: BatchPage | null } | null
}

/** A page of a batch, whose events are sent in the order of their ids. */
export interface BatchPage {
  end: EventPosition
  lastSentId: string
}

export function formatCursor({ server, seen, batch }: SnapshotCursor): string {
  if (batch === null) return [server, seen].join('/')
  const { snapshot, after, page } = batch
  const progress = page === null ? [] : [page.end.position, page.end.id, page.lastSentId]
  return [server, seen, snapshot, after.position, after.id, ...progress].join('/')
}

/** @throws ServiceError `invalid` */
export function parsePositionCursor(cursor: string): number {
  if (!isNumber(cursor)) throw invalidCursor()
  return Number(cursor)
}

/** @throws ServiceError `invalid` */
export function parseSnapshotCursor(cursor: string): SnapshotCursor {
  const [server = '', seen = '', ...inside] = cursor.split('/')
  if (!/^\d{1,20}$/.test(server) || !isSnapshot(seen)) throw invalidCursor()
  return { server, seen, batch: inside.length === 0 ? null : parseBatch(inside) }
}

function parseBatch(parts: readonly string[]): SnapshotCursor['batch'] {
  const [snapshot = '', position, id = '', endPosition, endId, lastSentId = '', ...others] = parts
  if (others.length > 0) throw invalidCursor()
  if (!isSnapshot(snapshot)) throw invalidCursor()
  // A batch begins before all events.
  const after = position === '0' && id === '' ? beginning : parsePosition(position, id)
  if (endPosition === undefined) return { snapshot, after, page: null }
  if (!looksLikeEventId(lastSentId)) throw invalidCursor()
  return { snapshot, after, page: { end: parsePosition(endPosition, endId), lastSentId } }
}

export const beginning: EventPosition = { position: 0, id: '' }

function parsePosition(position: string | undefined, id: string | undefined): EventPosition {
  if (!isNumber(position) || id === undefined || !looksLikeEventId(id)) throw invalidCursor()
  return { position: Number(position), id }
}

/** The id is only compared with others: rows of former databases may have ids that `isEventId` refuses. */
function looksLikeEventId(text: string): boolean {
  return /^evt_\w{1,40}$/.test(text)
}

export function invalidCursor(): ServiceError {
  return refusal('foreignEventId')
}

const maxSnapshotLength = 10_000

/** `xmin:xmax:xip,xip`, ascending, as PostgreSQL reads it. */
function isSnapshot(text: string): boolean {
  const match = text.length > maxSnapshotLength ? null : /^(\d+):(\d+):((?:\d+(?:,\d+)*)?)$/.exec(text)
  if (match === null) return false
  const [, first, last, running = ''] = match
  const numbers = running === '' ? [] : running.split(',')
  if (![first, last, ...numbers].every(isNumber)) return false
  const values = [Number(first), ...numbers.map(Number), Number(last)]
  const isAscending = values.every((value, index) => index === 0 || value >= (values[index - 1] ?? 0))
  const areDistinct = new Set(numbers).size === numbers.length
  return (
    isAscending && areDistinct && Number(first) > 0 && numbers.every((each) => Number(each) < Number(last))
  )
}

function isNumber(text: string | undefined): boolean {
  return text !== undefined && /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text))
}
