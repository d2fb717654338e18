/** Marks as text. On SQLite a position; on PostgreSQL a server and a snapshot of it, and inside a batch how far one has come with it. */
import { ServiceError } from '../errors.ts'

/** Where an event stands among those of a batch. */
export interface EventPosition {
  position: number
  id: string
}

export interface SnapshotMark {
  /** Whose snapshots they are. */
  server: string
  /** Everything in it was read. Text of a `pg_snapshot`. */
  seen: string
  /** Of what this later snapshot sees, everything up to a place was read too, and something of the page behind it. */
  batch: { snapshot: string; after: EventPosition; page: BatchPage | null } | null
}

/** A page is told in the order of the ids. */
export interface BatchPage {
  end: EventPosition
  /** The last id that was told. */
  told: string
}

export function writeMark({ server, seen, batch }: SnapshotMark): string {
  if (batch === null) return [server, seen].join('/')
  const { snapshot, after, page } = batch
  const told = page === null ? [] : [page.end.position, page.end.id, page.told]
  return [server, seen, snapshot, after.position, after.id, ...told].join('/')
}

/** @throws ServiceError `invalid` */
export function parsePosition(mark: string): number {
  if (!isNumber(mark)) throw unknownMark()
  return Number(mark)
}

/** @throws ServiceError `invalid` */
export function parseSnapshot(mark: string): SnapshotMark {
  const [server = '', seen = '', ...inside] = mark.split('/')
  if (!/^\d{1,20}$/.test(server) || !isSnapshot(seen)) throw unknownMark()
  return { server, seen, batch: inside.length === 0 ? null : parseBatch(inside) }
}

function parseBatch(parts: readonly string[]): SnapshotMark['batch'] {
  const [snapshot = '', position, id = '', endPosition, endId, told = '', ...others] = parts
  if (others.length > 0) throw unknownMark()
  if (!isSnapshot(snapshot)) throw unknownMark()
  // A batch begins before all events.
  const after = position === '0' && id === '' ? beginning : parsePlace(position, id)
  if (endPosition === undefined) return { snapshot, after, page: null }
  if (!isEventId(told)) throw unknownMark()
  return { snapshot, after, page: { end: parsePlace(endPosition, endId), told } }
}

export const beginning: EventPosition = { position: 0, id: '' }

function parsePlace(position: string | undefined, id: string | undefined): EventPosition {
  if (!isNumber(position) || id === undefined || !isEventId(id)) throw unknownMark()
  return { position: Number(position), id }
}

function isEventId(text: string): boolean {
  return /^evt_\w{1,40}$/.test(text)
}

export function unknownMark(): ServiceError {
  return new ServiceError('invalid', 'The id of the last event is not one that was given out here.')
}

const longestSnapshot = 10_000

/** `xmin:xmax:xip,xip`, ascending, as PostgreSQL reads it. */
function isSnapshot(text: string): boolean {
  const match = text.length > longestSnapshot ? null : /^(\d+):(\d+):((?:\d+(?:,\d+)*)?)$/.exec(text)
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
