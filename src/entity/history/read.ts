/** Reads the history of a row, for whoever reads the row. */
import type { Static } from 'typebox'
import type { Context } from '../../core/context.ts'
import { asTenant } from '../../core/create-context.ts'
import { ServiceError } from '../../core/errors.ts'
import { decodeCursor, encodeCursor, type Page, type PageRequest } from '../../core/page.ts'
import type { Names, Shape } from '../definition.ts'
import type { StoredRow, Values } from '../row.ts'
import { hasFiles, rowsWithFiles } from '../row-files.ts'
import type { EntityRows } from '../write.ts'
import { type Bounded, readBounded } from './bounded.ts'
import { readsDeleted } from './deleted-reach.ts'
import { makersOf, unknownMaker } from './names.ts'
import { isKept, type RowHistory, rowOfVersion } from './row-history.ts'
import type { HistoryEntry } from './schema.ts'
import type { SupersededVersion } from './sql.ts'

export interface HistoryParts {
  names: Names
  shape: Shape
  rows: EntityRows
  history: RowHistory
}

type Entry = Static<typeof HistoryEntry>

/** A state of the row. */
interface State {
  version: number
  /** `null` while it was deleted. */
  row: StoredRow | null
}

const largestVersion = Number.MAX_SAFE_INTEGER

/** The newest first. @throws ServiceError `notFound` for a row that the caller does not read */
export async function readHistory(
  context: Context,
  id: string,
  parts: HistoryParts,
  { limit, cursor, isCounted }: PageRequest,
): Promise<Page<Entry>> {
  const { history } = parts
  const latest = await latestState(context, id, parts)
  const from = cursor === undefined ? null : Number(decodeCursor(cursor, (text) => /^\d{1,15}$/.test(text)))
  const stored = await readBounded(limit + 1, (after, size) =>
    history.statements.before(context.data, {
      id,
      version: after?.version ?? from ?? largestVersion,
      limit: size,
    }),
  )
  const entries = await entriesOf(
    context,
    parts,
    from === null ? [latest, ...statesOf(stored)] : statesOf(stored),
    stored,
  )
  const items = entries.slice(0, Math.min(limit, stored.isCut ? entries.length - 1 : limit))
  const last = items.at(-1)
  const hasMore = last !== undefined && (entries.length > items.length || stored.isCut)
  return {
    items,
    next: hasMore ? encodeCursor(String(last.version)) : null,
    ...(isCounted === true && { total: 1 + (await history.statements.count(context.data, id)) }),
  }
}

/** The row of a version, with what the caller reads. @throws ServiceError `notFound` */
export async function readVersion(
  context: Context,
  id: string,
  version: number,
  parts: HistoryParts,
): Promise<Values> {
  const { row } = await versionOf(context, id, version, parts)
  const [shown = {}] = await shownRows(context, parts, [row])
  return shown
}

/** With what the caller reads of them, and with their files. */
export async function shownRows(
  context: Context,
  { shape, rows }: Pick<HistoryParts, 'shape' | 'rows'>,
  whole: readonly StoredRow[],
): Promise<Values[]> {
  const shown = whole.map((row): Values => {
    const { version: _version, ...members } = rows.shown(context, row)
    return members
  })
  // Rules of files ask which rows name them now: who reads a version reads its files.
  return hasFiles(shape) ? rowsWithFiles(asTenant(context), shape, shown) : shown
}

/** @returns the row of a version, whole, and whether the row is deleted @throws ServiceError `notFound` */
export async function versionOf(
  context: Context,
  id: string,
  version: number,
  parts: HistoryParts,
): Promise<{ row: StoredRow; isDeleted: boolean }> {
  const latest = await latestState(context, id, parts)
  const isDeleted = latest.row === null
  const row =
    version === latest.version
      ? latest.row
      : await findVersion(context, id, version, parts).then((found) => found && rowOfVersion(found))
  if (row === null) throw new ServiceError('notFound', 'There is no such version.')
  return { row, isDeleted }
}

async function findVersion(
  { data }: Context,
  id: string,
  version: number,
  { history }: HistoryParts,
): Promise<SupersededVersion | null> {
  return Number.isSafeInteger(version) ? history.statements.find(data, id, version) : null
}

/** The present row, whole, or that it is deleted. @throws ServiceError `notFound` for a row that the caller does not read */
async function latestState(
  context: Context,
  id: string,
  { names, shape, rows, history }: HistoryParts,
): Promise<State> {
  const row = await rows.findWhole(context, id)
  if (row !== null) return { version: row.version, row }
  const deleted = await history.statements.findDeleted(context.data, id)
  const last = deleted && rowOfVersion(deleted)
  const isRead = last !== null && (await readsDeleted(context.data, names, shape, [last]))[0] === true
  if (deleted === null || !isRead) throw new ServiceError('notFound', `There is no such ${names.label}.`)
  return { version: deleted.version + 1, row: null }
}

function statesOf({ versions }: Bounded): State[] {
  return versions.map((each) => ({ version: each.version, row: rowOfVersion(each) }))
}

/** @param states the newest first @param stored what has superseded each of them but the first, and one more */
async function entriesOf(
  context: Context,
  { rows, shape }: HistoryParts,
  states: readonly State[],
  { versions }: Bounded,
): Promise<Entry[]> {
  const made = new Map(versions.map((each) => [each.version + 1, each]))
  const makerOf = await makersOf(context, versions)
  const members = [...shape.members, ...shape.children].filter(isKept).map(({ name }) => name)
  const shown = (row: StoredRow | null) => (row === null ? null : rows.shown(context, row))
  return states.flatMap(({ version, row }): Entry[] => {
    const change = made.get(version)
    if (change === undefined) return row === null ? [] : [withoutChange(row)]
    const before = shown(rowOfVersion(change))
    return [
      {
        version,
        at: change.superseded_at,
        action: change.action,
        ...makerOf(change),
        restoredFrom: change.restored_from,
        changes: changesOf(members, before, shown(row)),
      },
    ]
  })
}

/** A new row, or one whose earlier versions are not kept. */
function withoutChange({ version, createdAt, updatedAt }: StoredRow): Entry {
  const isFirst = version === 1
  return {
    version,
    at: isFirst ? createdAt : updatedAt,
    action: isFirst ? 'created' : null,
    ...unknownMaker,
    restoredFrom: null,
    changes: {},
  }
}

/** Of members that both have: the definition of one version may lack some of the other. */
function changesOf(
  members: readonly string[],
  before: Values | null,
  after: Values | null,
): Entry['changes'] {
  if (before === null || after === null) return {}
  const differing = members.filter(
    (name) => name in before && name in after && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  return Object.fromEntries(differing.map((name) => [name, { before: before[name], after: after[name] }]))
}
