/** Reads the history of a row for callers who may read the row. */
import type { Static } from 'typebox'
import type { Context } from '../../core/context.ts'
import { asTenant } from '../../core/create-context.ts'
import { refusal } from '../../core/errors.ts'
import { decodeCursor, encodeCursor, type Page, type PageRequest } from '../../core/page.ts'
import type { Names, Shape } from '../definition.ts'
import type { StoredRow, Values } from '../row.ts'
import { hasFiles, rowsWithFiles } from '../row-files.ts'
import type { EntityRows } from '../write.ts'
import { type Bounded, readBounded } from './bounded.ts'
import { readsFormer } from './former-reach.ts'
import { makersOf, unknownMaker } from './names.ts'
import { type RowHistory, rowOfVersion } from './row-history.ts'
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

/** Reads the newest versions first. @throws ServiceError `notFound` for a row that the caller does not read */
export async function readHistory(
  context: Context,
  id: string,
  parts: HistoryParts,
  { limit, cursor, isCounted }: PageRequest,
): Promise<Page<Entry>> {
  const { history } = parts
  const latest = await latestState(context, id, parts)
  const from = cursor === undefined ? null : Number(decodeCursor(cursor, (text) => /^\d{1,15}$/.test(text)))
  // Reads one version more than the page has: what a version changed is told by the version before it.
  const stored = await readBounded(limit + 1, (after, size) =>
    history.statements.before(context.data, {
      id,
      version: after?.version ?? from ?? largestVersion,
      limit: size,
    }),
  )
  const states = from === null ? [latest, ...statesOf(stored)] : statesOf(stored)
  const page = states.slice(0, Math.min(limit, stored.isCut ? states.length - 1 : limit))
  const last = page.at(-1)
  const hasMore = last !== undefined && (states.length > page.length || stored.isCut)
  return {
    items: await entriesOf(context, parts, page, stored),
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

/** @returns the rows with their files and with the members that the caller reads */
export async function shownRows(
  context: Context,
  { shape, rows }: Pick<HistoryParts, 'shape' | 'rows'>,
  whole: readonly StoredRow[],
): Promise<Values[]> {
  const shown = whole.map((row): Values => {
    const { version: _version, ...members } = rows.shown(context, row)
    return members
  })
  // With the authority of the tenant: who may read a version may read its files, whatever names them now.
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
  const row = version === latest.version ? latest.row : await formerRow(context, parts, await found(version))
  if (row === null) throw refusal('noSuch', { label: 'version' })
  return { row, isDeleted }

  async function found(number: number): Promise<SupersededVersion | null> {
    return Number.isSafeInteger(number) ? parts.history.statements.find(context.data, id, number) : null
  }
}

/** @returns the row of a version; `null` if there is none, or if the caller could not have read it */
async function formerRow(
  context: Context,
  parts: HistoryParts,
  version: SupersededVersion | null,
): Promise<StoredRow | null> {
  return version === null
    ? null
    : ((await formerRows(context, parts, [version])).get(version.version) ?? null)
}

/** @returns the rows of the versions that the caller could have read, by version */
async function formerRows(
  { data }: Context,
  { names, shape }: HistoryParts,
  versions: readonly SupersededVersion[],
): Promise<Map<number, StoredRow>> {
  const rows = versions.flatMap((each) => {
    const row = rowOfVersion(each)
    return row === null ? [] : [[each.version, row] as const]
  })
  const former = rows.map(([, row]) => row)
  const isRead = await readsFormer(data, names, shape, former)
  return new Map(rows.filter((_row, place) => isRead[place]))
}

/** The present row, or that it is deleted. @throws ServiceError `notFound` for a row that the caller may not read */
async function latestState(context: Context, id: string, parts: HistoryParts): Promise<State> {
  const { names, rows, history } = parts
  const row = await rows.findWhole(context, id)
  if (row !== null) return { version: row.version, row }
  const deleted = await history.statements.findDeleted(context.data, id)
  if (deleted === null || (await formerRow(context, parts, deleted)) === null)
    throw refusal('noSuch', { label: names.label })
  return { version: deleted.version + 1, row: null }
}

function statesOf({ versions }: Bounded): State[] {
  return versions.map((each) => ({ version: each.version, row: rowOfVersion(each) }))
}

/**
 * Leaves out the versions that the caller could not have read.
 * @param states the newest first @param stored the superseded versions among them, and those around them
 */
async function entriesOf(
  context: Context,
  parts: HistoryParts,
  states: readonly State[],
  { versions }: Bounded,
): Promise<Entry[]> {
  const { rows, shape } = parts
  // The record of a superseded version tells the change that made the next one.
  const changeTo = new Map(versions.map((each) => [each.version + 1, each]))
  const superseded = new Set(versions.map(({ version }) => version))
  const [former, makerOf] = await Promise.all([
    formerRows(context, parts, versions),
    makersOf(context, versions),
  ])
  const members = [...shape.members, ...shape.children].map(({ name }) => name)
  const shown = (row: StoredRow | undefined) => (row === undefined ? null : rows.shown(context, row))
  return states.flatMap(({ version, row }): Entry[] => {
    const change = changeTo.get(version)
    const before = former.get(version - 1)
    if (row === null ? before === undefined : superseded.has(version) && !former.has(version)) return []
    if (change === undefined) return row === null ? [] : [withoutChange(row)]
    return [
      {
        version,
        at: change.superseded_at,
        action: change.action,
        ...makerOf(change),
        restoredFrom: change.restored_from,
        changes: changesOf(members, shown(before), shown(row ?? undefined)),
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

/** Compares the members that both versions have: a version may be of an earlier definition with other members. */
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
