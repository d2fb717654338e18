/** The statements of superseded versions. */
import { type Kysely, sql } from 'kysely'
import { defer, type TenantData } from '../../database/data.ts'
import type { Dialect } from '../../database/executor.ts'
import { lockedIn } from '../../database/locked-rows.ts'
import { prepare } from '../../database/prepared.ts'
import type { TenantColumn } from '../../database/scope.ts'
import type { TenantTables } from '../../database/tenant-tables.ts'
import type { Names } from '../definition.ts'
import { versionFileTableOf, versionTableOf } from './table.ts'

/** A row as it was before a change, with who made the change. */
export interface SupersededVersion {
  row_id: string
  /** The version of the row before the change. */
  version: number
  superseded_at: string
  actor_id: string | null
  impersonator_id: string | null
  /** `updated`, `deleted`, `restored`, or the name of an action. */
  action: string
  /** The version whose values the change has restored. */
  restored_from: number | null
  /** Set while the row is deleted. */
  deleted_at: string | null
  /** JSON; `null` for the time in which the row was deleted. */
  row: string | null
}

interface Tables {
  entity_version: SupersededVersion & { tenant_id: TenantColumn }
  entity_version_file: { tenant_id: TenantColumn; row_id: string; version: number; file_id: string }
}

const columns = [
  ...(['row_id', 'version', 'superseded_at', 'actor_id', 'impersonator_id'] as const),
  ...(['action', 'restored_from', 'deleted_at', 'row'] as const),
] as const

export interface TrashPlace {
  deletedAt: string
  id: string
  limit: number
}

export type VersionStatements = ReturnType<typeof versionStatements>

/** The last version of a row that is removed, with those before it. */
export interface RemovedVersions {
  row_id: string
  version: number
}

/** Versions that were superseded, or rows that were deleted, before a moment. */
interface OldRange {
  before: string
  limit: number
}

export function versionStatements(names: Pick<Names, 'table'>) {
  // Typed as one table, because the builder has no type for any table.
  const name = versionTableOf(names) as 'entity_version'
  const fileName = versionFileTableOf(names) as 'entity_version_file' // typed as one table too
  return {
    ...keepingStatements(name),
    ...readingStatements(name),
    ...trashStatements(name),
    ...oldStatements(name),
    ...fileStatements(fileName),
  }
}

function keepingStatements(name: 'entity_version') {
  const insert = prepare(
    (tables, p: SupersededVersion) =>
      typed(tables)
        .insertInto(name)
        .values(Object.fromEntries(columns.map((column) => [column, p[column]])) as never), // all of them
  )
  const revive = prepare((tables, p: RemovedVersions) =>
    typed(tables)
      .updateTable(name)
      .set({ deleted_at: null })
      .where('row_id', '=', p.row_id)
      .where('version', '=', p.version),
  )
  const removeUpTo = prepare((tables, p: RemovedVersions) =>
    typed(tables).deleteFrom(name).where('row_id', '=', p.row_id).where('version', '<=', p.version),
  )
  return {
    /** Sent with the next statement, or with the commit. */
    insert: (data: TenantData, version: SupersededVersion) => defer(data, insert, version),
    /** Marks a version as that of a row that exists again. */
    revive: (data: TenantData, place: RemovedVersions) => data.change(revive, place),
    /** Sent with the next statement, or with the commit. */
    removeUpTo: (data: TenantData, place: RemovedVersions) => defer(data, removeUpTo, place),
  }
}

function readingStatements(name: 'entity_version') {
  const one = prepare((tables, p: { id: string; version: number }) =>
    typed(tables)
      .selectFrom(name)
      .select(columns)
      .where('row_id', '=', p.id)
      .where('version', '=', p.version),
  )
  const before = prepare((tables, p: { id: string; version: number; limit: number }) =>
    typed(tables)
      .selectFrom(name)
      .select(columns)
      .where('row_id', '=', p.id)
      .where('version', '<', p.version)
      .orderBy('version', 'desc')
      .limit(p.limit),
  )
  const count = prepare((tables, p: { id: string }) =>
    typed(tables).selectFrom(name).select(counted).where('row_id', '=', p.id),
  )
  return {
    find: (data: TenantData, id: string, version: number) => data.first(one, { id, version }),
    /** The newest first. */
    before: (data: TenantData, place: { id: string; version: number; limit: number }) =>
      data.all(before, place),
    count: async (data: TenantData, id: string) => (await data.first(count, { id }))?.count ?? 0,
  }
}

function trashStatements(name: 'entity_version') {
  const deleted = (isLocked: boolean) =>
    prepare((tables, p: { id: string }, dialect) => {
      const query = typed(tables)
        .selectFrom(name)
        .select(columns)
        .where('row_id', '=', p.id)
        .where('deleted_at', 'is not', null)
      return isLocked ? query.$call(lockedIn(dialect)) : query
    })
  const [found, locked] = [deleted(false), deleted(true)]
  const trash = prepare((tables, p: TrashPlace, dialect) =>
    typed(tables)
      .selectFrom(name)
      .select(columns)
      .where('deleted_at', 'is not', null)
      .where(sql<boolean>`(deleted_at, row_id) < (${placeOf(p, dialect)})`)
      .orderBy('deleted_at', 'desc')
      .orderBy('row_id', 'desc')
      .limit(p.limit),
  )
  const countTrash = prepare((tables, _p: object) =>
    typed(tables).selectFrom(name).select(counted).where('deleted_at', 'is not', null),
  )
  return {
    /** The last version of a row that is deleted. */
    findDeleted: (data: TenantData, id: string) => data.first(found, { id }),
    /** Like `findDeleted`, and locks that version until the transaction ends. */
    lockDeleted: (data: TenantData, id: string) => data.first(locked, { id }),
    /** Lists the last versions of deleted rows, the row that was deleted last first. */
    trash: (data: TenantData, place: TrashPlace) => data.all(trash, place),
    countTrash: async (data: TenantData) => (await data.first(countTrash, {}))?.count ?? 0,
  }
}

function oldStatements(name: 'entity_version') {
  // The last version of a deleted row is the one with `deleted_at`.
  const oldest = (column: 'superseded_at' | 'deleted_at', includesDeleted: boolean) =>
    prepare((tables, p: OldRange) => {
      const query = typed(tables)
        .selectFrom(name)
        .select(['row_id', 'version'])
        .where(column, '<', p.before)
        .orderBy(column)
        .limit(p.limit)
      return includesDeleted ? query : query.where('deleted_at', 'is', null)
    })
  const oldVersions = oldest('superseded_at', true)
  const oldSuperseded = oldest('superseded_at', false)
  const oldDeleted = oldest('deleted_at', true)
  return {
    /** Versions that were superseded before, and the last versions of rows that were deleted before. */
    oldVersions: (data: TenantData, range: OldRange) => data.all(oldVersions, range),
    /** Like `oldVersions`, without the last versions of deleted rows. */
    oldSuperseded: (data: TenantData, range: OldRange) => data.all(oldSuperseded, range),
    /** The last versions of rows that were deleted before. */
    oldDeleted: (data: TenantData, range: OldRange) => data.all(oldDeleted, range),
  }
}

function fileStatements(name: 'entity_version_file') {
  const insert = prepare((tables, p: RemovedVersions & { file_id: string }) =>
    typed(tables).insertInto(name).values({ row_id: p.row_id, version: p.version, file_id: p.file_id }),
  )
  const named = prepare((tables, p: RemovedVersions) =>
    typed(tables)
      .selectFrom(name)
      .select('file_id')
      .distinct()
      .where('row_id', '=', p.row_id)
      .where('version', '<=', p.version)
      .orderBy('file_id'),
  )
  const remove = prepare((tables, p: RemovedVersions) =>
    typed(tables).deleteFrom(name).where('row_id', '=', p.row_id).where('version', '<=', p.version),
  )
  return {
    insertFile: (data: TenantData, file: RemovedVersions & { file_id: string }) => defer(data, insert, file),
    filesUpTo: async (data: TenantData, place: RemovedVersions) =>
      (await data.all(named, place)).map(({ file_id: id }) => id),
    removeFilesUpTo: (data: TenantData, place: RemovedVersions) => data.change(remove, place),
  }
}

const counted = sql<number>`cast(count(*) as integer)`.as('count')

function placeOf({ deletedAt, id }: TrashPlace, dialect: Dialect) {
  return dialect === 'postgres'
    ? sql`cast(${deletedAt} as timestamptz), cast(${id} as uuid)`
    : sql`${deletedAt}, ${id}`
}

function typed(tables: Kysely<TenantTables>): Kysely<Tables> {
  return tables as unknown as Kysely<Tables> // the tables of one entity, under their common names
}
