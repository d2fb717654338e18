/** Reads deleted rows in their order, and leaves out the rows that the caller may not read. */
import type { Context } from '../../core/context.ts'
import type { StoredRow } from '../row.ts'
import { readsFormer } from './former-reach.ts'
import type { HistoryParts } from './read.ts'
import { rowOfVersion } from './row-history.ts'
import type { SupersededVersion, TrashPlace } from './sql.ts'

/** The maximum of rows that are visited for one page. */
const maxVisited = 1000
/** The bytes of a page's rows that the caller may not read: each may have megabytes. */
const maxUnreadBytes = 2 * 1024 * 1024
const batchSize = 16

export type DeletedPlace = Omit<TrashPlace, 'limit'>

interface VisitedVersion {
  version: SupersededVersion
  isRead: boolean
}

export class ReadableTrash {
  readonly #context: Context
  readonly #parts: HistoryParts
  #place: DeletedPlace
  #visited = 0
  #unreadBytes = 0

  /** @param place of the row before the first */
  constructor(context: Context, parts: HistoryParts, place: DeletedPlace) {
    this.#context = context
    this.#parts = parts
    this.#place = place
  }

  /** The last row that was looked at, which the caller may not read. */
  get place(): DeletedPlace {
    return this.#place
  }

  /** Whether the page has ended before the last row. */
  get isCut(): boolean {
    return this.#visited >= maxVisited || this.#unreadBytes >= maxUnreadBytes
  }

  /** @returns fewer than wanted at the end of the trash, and when the page is cut */
  async next(wanted: number): Promise<SupersededVersion[]> {
    const found: SupersededVersion[] = []
    while (found.length < wanted && !this.isCut) {
      const size = this.#batchSize(wanted - found.length)
      const batch = await this.#batch(size)
      for (const each of batch) {
        if (this.#visit(each)) found.push(each.version)
        if (found.length === wanted) return found
      }
      if (batch.length < size) break
    }
    return found
  }

  /** Rows may have megabytes: for a caller who may read all, no more than the wanted ones are read. */
  #batchSize(wanted: number): number {
    const { reach } = this.#context.data
    const isWhole = reach === null || reach.readsAll(this.#parts.names.table)
    return isWhole ? wanted : batchSize
  }

  /** @returns whether the caller may read the row */
  #visit({ version, isRead }: VisitedVersion): boolean {
    this.#place = placeOf(version)
    this.#visited++
    if (!isRead) this.#unreadBytes += version.row?.length ?? 0
    return isRead
  }

  async #batch(limit: number): Promise<VisitedVersion[]> {
    const { names, shape, history } = this.#parts
    const { data } = this.#context
    const versions = await history.statements.trash(data, { ...this.#place, limit })
    const isRead = await readsFormer(data, names, shape, versions.map(deletedRow))
    return versions.map((version, index) => ({ version, isRead: isRead[index] === true }))
  }
}

export function placeOf({ deleted_at: deletedAt, row_id: id }: SupersededVersion): DeletedPlace {
  return { deletedAt: deletedAt ?? '', id }
}

export function deletedRow(version: SupersededVersion): StoredRow {
  return rowOfVersion(version) as StoredRow // a deleted row is kept whole
}
