/** Lists deleted rows to callers who could read them if they were not deleted. */
import type { Context } from '../../core/context.ts'
import { invalidField } from '../../core/errors.ts'
import { isUuid } from '../../core/id.ts'
import { decodeCursor, encodeCursor, type Page, type PageRequest } from '../../core/page.ts'
import { openCursor, sealCursor } from '../../core/sealed-cursor.ts'
import { isTimestamp } from '../../database/date.ts'
import type { Values } from '../row.ts'
import { readBounded } from './bounded.ts'
import { makersOf, type VersionMaker } from './names.ts'
import { type HistoryParts, shownRows } from './read.ts'
import { type DeletedPlace, deletedRow, placeOf, ReadableTrash } from './readable-trash.ts'

export interface DeletedEntry extends VersionMaker {
  id: string
  deletedAt: string
  version: number
  row: Values
}

/** A place before all deleted rows, the last deleted first. */
const start = { deletedAt: '9999-12-31T23:59:59.999Z', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

/**
 * Lists the last deleted row first. A caller who reads few of many rows may get a short page with a next one.
 * @throws ServiceError `invalid` for a count of rows of which the caller reads some
 */
export async function readTrash(
  context: Context,
  parts: HistoryParts,
  { limit, cursor, isCounted }: PageRequest,
): Promise<Page<DeletedEntry>> {
  const { names, shape, rows, history } = parts
  const { data } = context
  const isWhole = data.reach === null || data.reach.readsAll(names.table)
  if (isCounted === true && !isWhole)
    throw invalidField(
      'count',
      `needs the right to all ${names.labels}: others are not counted`,
      'notPossible',
    )
  const from = cursor === undefined ? start : placeIn(context, names.table, cursor)
  const trash = new ReadableTrash(context, parts, from)
  const { versions, isCut } = await readBounded(limit + 1, (_last, size) => trash.next(size))
  const page = versions.slice(0, limit)
  const makerOf = await makersOf(context, page)
  const shown = await shownRows(context, { shape, rows }, page.map(deletedRow))
  const items = page.map((each, index): DeletedEntry => {
    const { id, deletedAt } = placeOf(each)
    return { id, deletedAt, ...makerOf(each), version: each.version, row: shown[index] ?? {} }
  })
  const last = page.at(-1)
  const isFull = last !== undefined && (versions.length > limit || isCut)
  return {
    items,
    next: isFull ? encodeCursor(textOf(placeOf(last))) : sealedNext(context, names.table, trash),
    ...(isCounted === true && { total: await history.statements.countTrash(data) }),
  }
}

/** The cursor of a page that ends at a row that the caller may not read is encrypted, because it names that row. */
function sealedNext(context: Context, table: string, { isCut, place }: ReadableTrash): string | null {
  return isCut ? sealCursor(context, table, textOf(place)) : null
}

/** The text of a place is a time, which has 24 characters, a blank and an id. */
function placeIn(context: Context, table: string, cursor: string): DeletedPlace {
  const text = openCursor(context, table, cursor) ?? decodeCursor(cursor, isPlace)
  return { deletedAt: text.slice(0, 24), id: text.slice(25) }
}

function textOf({ deletedAt, id }: DeletedPlace): string {
  return `${deletedAt} ${id}`
}

/** An example of the position that a cursor holds. */
export const trashPlace = '2026-01-31T09:30:00.000Z 0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'

function isPlace(text: string): boolean {
  return isTimestamp(text.slice(0, 24)) && text[24] === ' ' && isUuid(text.slice(25))
}
