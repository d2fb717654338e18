import { sql } from 'kysely'
import type { TenantData } from '../database/data.ts'
import { lockedIn } from '../database/locked-rows.ts'
import { pick, prepare } from '../database/prepared.ts'
import type { StoredFile } from './schema.ts'

const columns = ['id', 'name', 'type', 'size', 'sha256', 'created_at', 'unused_since', 'uploaded_by'] as const

const byId = prepare((tables, p: { id: string }) =>
  tables.selectFrom('file').select(columns).where('id', '=', p.id),
)

const byIdLocked = prepare((tables, p: { id: string }, dialect) =>
  tables.selectFrom('file').select(columns).where('id', '=', p.id).$call(lockedIn(dialect)),
)

const insert = prepare((tables, p: StoredFile) => tables.insertInto('file').values(pick(p, columns)))

const remove = prepare((tables, p: { id: string }) => tables.deleteFrom('file').where('id', '=', p.id))

const mark = prepare((tables, p: { id: string; unusedSince: string | null }) =>
  tables.updateTable('file').set({ unused_since: p.unusedSince }).where('id', '=', p.id),
)

const unused = prepare((tables, p: { before: string; limit: number }) =>
  tables
    .selectFrom('file')
    .select('id')
    .where('unused_since', '<', p.before)
    .orderBy('unused_since')
    .limit(p.limit),
)

const insertStray = prepare((tables, p: { id: string; since: string }) =>
  tables.insertInto('stray_file').values({ id: p.id, since: p.since }),
)

const removeStray = prepare((tables, p: { id: string }) =>
  tables.deleteFrom('stray_file').where('id', '=', p.id),
)

const orphaned = prepare((tables, p: { before: string; limit: number }) =>
  tables.selectFrom('stray_file').select('id').where('since', '<', p.before).orderBy('id').limit(p.limit),
)

const use = prepare((tables, p: { bytes: number }) =>
  tables
    .insertInto('file_usage')
    .values({ bytes: p.bytes })
    .onConflict((conflict) =>
      conflict.column('tenant_id').doUpdateSet({ bytes: sql<number>`file_usage.bytes + excluded.bytes` }),
    )
    .returning('bytes'),
)

const usage = prepare((tables, _p: object) => tables.selectFrom('file_usage').select('bytes'))

const page = prepare((tables, p: { after: string; limit: number }) =>
  tables.selectFrom('file').select(columns).where('id', '>', p.after).orderBy('id').limit(p.limit),
)

export function findFile(data: TenantData, id: string): Promise<StoredFile | null> {
  return data.first(byId, { id })
}

/** Locks the file until the transaction ends. */
export function findFileForUpdate(data: TenantData, id: string): Promise<StoredFile | null> {
  return data.first(byIdLocked, { id })
}

export function findFiles(data: TenantData, ids: readonly string[]): Promise<StoredFile[]> {
  return data.kysely.selectFrom('file').select(columns).where('id', 'in', ids).execute()
}

/** Finds files after an id, in the order of their ids. */
export function filePage(data: TenantData, place: { after: string; limit: number }): Promise<StoredFile[]> {
  return data.all(page, place)
}

export async function insertFile(data: TenantData, file: StoredFile): Promise<void> {
  await data.change(insert, file)
}

export async function deleteFileRow(data: TenantData, id: string): Promise<void> {
  await data.change(remove, { id })
}

/** @param unusedSince `null` while a row may name it */
export async function markUnused(data: TenantData, id: string, unusedSince: string | null): Promise<void> {
  await data.change(mark, { id, unusedSince })
}

export async function unusedBefore(data: TenantData, before: string, limit: number): Promise<string[]> {
  return (await data.all(unused, { before, limit })).map(({ id }) => id)
}

export async function insertStrayFile(data: TenantData, id: string, since: string): Promise<void> {
  await data.change(insertStray, { id, since })
}

/** @returns whether the row existed */
export async function deleteStrayFile(data: TenantData, id: string): Promise<boolean> {
  return (await data.change(removeStray, { id })) > 0
}

export async function orphanedBefore(data: TenantData, before: string, limit: number): Promise<string[]> {
  return (await data.all(orphaned, { before, limit })).map(({ id }) => id)
}

/** @returns the bytes of all files of the tenant after the change */
export async function changeUsage(data: TenantData, bytes: number): Promise<number> {
  return (await data.first(use, { bytes }))?.bytes ?? 0
}

export async function findUsage(data: TenantData): Promise<number> {
  return (await data.first(usage, {}))?.bytes ?? 0
}
