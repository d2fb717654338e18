/** Keeps rows as they were: in the transaction of the change that supersedes them. */
import { type Context, now } from '../../core/context.ts'
import { asTenant } from '../../core/create-context.ts'
import { actorIdOf } from '../../core/reach.ts'
import { releaseFile } from '../../files/attach.ts'
import type { Names, Shape } from '../definition.ts'
import type { StoredRow } from '../row.ts'
import { filesNamedBy, hasFiles } from '../row-files.ts'
import { type HistoryOptions, type Keeping, keepingOf } from './option.ts'
import { type SupersededVersion, type VersionStatements, versionStatements } from './sql.ts'

/** The change that supersedes a version. */
export interface Superseding {
  /** The last word of the name of its event. */
  event: string
  /** The name of the action that changes the row. */
  action: string | undefined
  restoredFrom: number | undefined
}

export interface DeletedRow {
  stored: SupersededVersion
  row: StoredRow
}

/** @returns `null` for an entity that keeps nothing @throws Error for options that make no sense */
export function historyOf(names: Names, shape: Shape, options: HistoryOptions): RowHistory | null {
  const keeping = keepingOf(names.name, options)
  return keeping === null ? null : new RowHistory(names, shape, keeping)
}

/** The maximum number of superseded versions that are kept of one row. */
export const maxVersions = 200

export class RowHistory {
  readonly statements: VersionStatements
  readonly trashDays: number | null
  readonly #shape: Shape
  readonly #hasFiles: boolean

  constructor(names: Names, shape: Shape, { trashDays }: Keeping) {
    this.statements = versionStatements(names)
    this.trashDays = trashDays
    this.#shape = shape
    this.#hasFiles = hasFiles(shape)
  }

  /** @param before the row that is superseded @param after the row that supersedes it */
  async keepChanged(
    inside: Context,
    { before, after }: { before: StoredRow; after: StoredRow },
    { event, action, restoredFrom }: Superseding,
  ): Promise<void> {
    await this.#insert(inside, before, {
      superseded_at: after.updatedAt,
      action: action ?? (restoredFrom === undefined ? event : 'restored'),
      restored_from: restoredFrom ?? null,
      deleted_at: null,
      row: JSON.stringify(before),
    })
    // Versions are consecutive: a row of fewer changes has no more.
    if (before.version > maxVersions)
      await this.removeUpTo(inside, { row_id: before.id, version: before.version - maxVersions })
  }

  keepDeleted(inside: Context, row: StoredRow): Promise<void> {
    const moment = now(inside)
    return this.#insert(inside, row, {
      superseded_at: moment,
      action: 'deleted',
      restored_from: null,
      deleted_at: moment,
      row: JSON.stringify(row),
    })
  }

  /** @param restoredFrom the version whose values the row has, if not the last one */
  async keepRestored(
    inside: Context,
    { stored, row }: DeletedRow,
    { after, restoredFrom }: { after: StoredRow; restoredFrom: number | undefined },
  ): Promise<void> {
    const { row_id, version } = stored
    await this.statements.revive(inside.data, { row_id, version })
    // The new version supersedes the time in which there was no row.
    await this.#insert(
      inside,
      { ...row, version: version + 1 },
      {
        superseded_at: after.updatedAt,
        action: 'restored',
        restored_from: restoredFrom ?? null,
        deleted_at: null,
        row: null,
      },
    )
  }

  /** Removes versions, and releases their files, which may be unused from now on. */
  async removeUpTo(inside: Context, place: { row_id: string; version: number }): Promise<void> {
    if (this.#hasFiles) {
      const released = await this.statements.filesUpTo(inside.data, place)
      await this.statements.removeFilesUpTo(inside.data, place)
      for (const id of released) await releaseFile(inside, id)
    }
    await this.statements.removeUpTo(inside.data, place)
  }

  async #insert(
    inside: Context,
    { id, version, ...row }: StoredRow,
    kept: Omit<SupersededVersion, 'row_id' | 'version' | 'actor_id' | 'impersonator_id'>,
  ): Promise<void> {
    // The tables of the history have no row rules that could refuse the caller.
    const { data, actor } = inside
    await this.statements.insert(data, {
      ...kept,
      row_id: id,
      version,
      actor_id: actorIdOf(actor),
      impersonator_id: actor?.impersonator?.id ?? null,
    })
    if (!this.#hasFiles || kept.row === null) return
    for (const file of new Set(filesNamedBy(this.#shape, row)))
      await this.statements.insertFile(asTenant(inside).data, { row_id: id, version, file_id: file })
  }
}

/** @returns `null` for the time in which the row was deleted */
export function rowOfVersion({ row }: Pick<SupersededVersion, 'row'>): StoredRow | null {
  return row === null ? null : (JSON.parse(row) as StoredRow) // written as one
}
