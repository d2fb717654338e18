/** Marks as text. On SQLite a position; on PostgreSQL a snapshot, and inside a batch how far one has come with it. */
import { ServiceError } from '../errors.ts'

export interface SnapshotMark {
  /** Everything in it was read. Text of a `pg_snapshot`. */
  seen: string
  /** Of what this later snapshot sees, everything up to an event was read too. */
  batch: { snapshot: string; position: number; id: string } | null
}

export function writeMark({ seen, batch }: SnapshotMark): string {
  return batch === null ? seen : [seen, batch.snapshot, batch.position, batch.id].join('/')
}

/** @throws ServiceError `invalid` */
export function parsePosition(mark: string): number {
  if (!isNumber(mark)) throw unknownMark()
  return Number(mark)
}

/** @throws ServiceError `invalid` */
export function parseSnapshot(mark: string): SnapshotMark {
  const [seen = '', snapshot, position, id, ...others] = mark.split('/')
  if (!isSnapshot(seen) || others.length > 0) throw unknownMark()
  if (snapshot === undefined) return { seen, batch: null }
  if (!isSnapshot(snapshot) || !isNumber(position) || !/^evt_\w{1,40}$/.test(id ?? '')) throw unknownMark()
  return { seen, batch: { snapshot, position: Number(position), id: id ?? '' } }
}

function unknownMark(): ServiceError {
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
