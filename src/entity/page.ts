/**
 * Reads the rows of a list in chunks of bounded size. The members of a row bound its bytes, and one row may be a thousand
 * times as long as the row before it.
 */
import type { Context } from '../core/context.ts'
import { refusal } from '../core/errors.ts'
import type { CallerTime } from '../core/limits/caller-time.ts'
import { decodeRowCursor, encodeRowCursor } from '../core/row-cursor.ts'
import { rowsIn } from '../core/rows.ts'
import type { JsonPage } from '../database/json-page.ts'
import type { Filter } from '../database/read/filter.ts'
import { RowTooLarge } from '../database/read/measure.ts'
import type { KeysetPosition, SortKey } from '../database/read/order.ts'
import type { ReadModel } from '../database/read/read-model.ts'
import { maxBytesOf, maxDirectBytes, type Selection } from '../database/read/selection.ts'
import { readPart } from '../database/read/slice.ts'
import type { RowStatements } from './sql.ts'

export interface RowsRequest {
  entity: ReadModel
  filter: Filter
  order: SortKey[]
  selection: Selection
  time: CallerTime
}

interface PageRange {
  /** The cursor of the last row before the page; empty for the first page. */
  after: string
  limit: number
}

/** A part of a page ends with the batch of rows that reaches this size. */
const partBytes = 256 * 1024
/** If fewer rows than this fit into memory at once, they are read in batches. */
const minHeldRows = 16

/** @param place after a row that a cursor of the order names */
export async function readPage(
  context: Context,
  request: RowsRequest,
  { after, limit }: PageRange,
): Promise<JsonPage> {
  const { entity, order } = request
  const position = after === '' ? null : decodeRowCursor(entity, order, after)
  const cursorOf = (last: KeysetPosition) => encodeRowCursor(entity, order, last)
  return readFrom(rowsIn(context, entity), request, { position, limit, cursorOf })
}

/**
 * Reads rows in the order of their ids, by one statement if all rows of the page fit into memory at once.
 * @param place after the row with this id
 */
export async function readPlainPage(
  { data }: Context,
  statements: RowStatements,
  request: RowsRequest,
  { after, limit }: PageRange,
): Promise<JsonPage | null> {
  const heldRows = Math.floor(maxDirectBytes / maxBytesOf(request.selection))
  if (limit > heldRows && heldRows < minHeldRows)
    return readFrom(data, request, { position: [after], limit, cursorOf: ([id]) => String(id) })
  const page = await statements.page(data, { after, limit: Math.min(limit, heldRows) })
  return page === null ? null : { ...page, isCut: page.count === heldRows }
}

interface PageStart {
  position: KeysetPosition | null
  limit: number
  cursorOf(position: KeysetPosition): string
}

/** Reads one row more than the limit, which tells whether rows follow the page. */
async function readFrom(
  data: Context['data'],
  { entity, filter, order, selection, time }: RowsRequest,
  { position, limit, cursorOf }: PageStart,
): Promise<JsonPage> {
  const range = { after: position, before: null, backward: false, limit: limit + 1 }
  const request = { entity, filter, order, selections: [selection], ...range, partBytes }
  const part = await readPart(data, request, { time, take: () => undefined }).catch(refuseTooLarge)
  const hasMore = part.rows.length > limit
  const isCut = part.isCut && !hasMore
  const rows = hasMore ? part.rows.slice(0, limit) : part.rows
  const last = rows.at(-1)
  return {
    json: rows.length === 0 ? null : rows.map(({ json }) => json[0]).join(),
    count: rows.length,
    lastId: last === undefined ? null : cursorOf(last.position),
    isCut,
    ...(!isCut && { hasMore }),
  }
}

function refuseTooLarge(error: unknown): never {
  if (!(error instanceof RowTooLarge)) throw error
  throw refusal('rowTooLarge')
}
