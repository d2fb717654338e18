/** Lists deleted rows, for whoever would read them. */
import type { Context } from '../../core/context.ts'
import { invalidField } from '../../core/errors.ts'
import { isUuid } from '../../core/id.ts'
import { decodeCursor, encodeCursor, type Page, type PageRequest } from '../../core/page.ts'
import { isTimestamp } from '../../database/date.ts'
import type { StoredRow, Values } from '../row.ts'
import { readBounded } from './bounded.ts'
import { readsFormer } from './former-reach.ts'
import { makersOf, type VersionMaker } from './names.ts'
import { type HistoryParts, shownRows } from './read.ts'
import { rowOfVersion } from './row-history.ts'
import type { SupersededVersion } from './sql.ts'

export interface DeletedEntry extends VersionMaker {
  id: string
  deletedAt: string
  version: number
  row: Values
}

const start = { deletedAt: '9999-12-31T23:59:59.999Z', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

/**
 * The last deleted first. A caller who reads few of the rows may get a short page with a next one.
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
    throw invalidField('count', `needs the right to all ${names.labels}: others are not counted`)
  const from = cursor === undefined ? start : placeOf(cursor)
  const { versions, isCut } = await readBounded(limit + 1, (after, size) =>
    history.statements.trash(data, { ...(after === null ? from : placeAfter(after)), limit: size }),
  )
  const page = versions.slice(0, limit)
  const deleted = page.map((each) => rowOfVersion(each) as StoredRow) // a deleted row is kept whole
  const isRead = await readsFormer(data, names, shape, deleted)
  const makerOf = await makersOf(context, page)
  const shown = await shownRows(context, { shape, rows }, deleted)
  const items = page.flatMap((each, place) => {
    const { row_id: id, deleted_at: deletedAt, version } = each
    if (isRead[place] !== true || deletedAt === null) return []
    return [{ id, deletedAt, ...makerOf(each), version, row: shown[place] ?? {} }]
  })
  const last = page.at(-1)
  const hasMore = last !== undefined && (versions.length > limit || isCut)
  return {
    items,
    next: hasMore ? encodeCursor(`${last.deleted_at} ${last.row_id}`) : null,
    ...(isCounted === true && { total: await history.statements.countTrash(data) }),
  }
}

function placeAfter({ deleted_at: deletedAt, row_id: id }: SupersededVersion) {
  return { deletedAt: deletedAt ?? '', id }
}

function placeOf(cursor: string) {
  const text = decodeCursor(cursor, isPlace)
  return { deletedAt: text.slice(0, 24), id: text.slice(25) }
}

/** What a cursor holds, as an example. */
export const trashPlace = '2026-01-31T09:30:00.000Z 0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'

function isPlace(text: string): boolean {
  return isTimestamp(text.slice(0, 24)) && text[24] === ' ' && isUuid(text.slice(25))
}
