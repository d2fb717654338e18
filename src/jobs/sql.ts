/** The jobs of one tenant: stored, listed, retried. */
import { type Selectable, sql } from 'kysely'
import type { TenantData } from '../database/data.ts'
import { inJsonRows, jsonOfIds } from '../database/json-rows.ts'
import { lockedIn } from '../database/locked-rows.ts'
import { pick, prepare } from '../database/prepared.ts'
import type { Derivation } from '../database/read/read-model.ts'
import { momentPattern } from '../database/sql-text.ts'
import type { QueuedJobTable } from './table.ts'

export type JobRow = Omit<Selectable<QueuedJobTable>, 'tenant_id'>

const newColumns = [
  'id',
  'name',
  'key',
  'pending_key',
  'data',
  'secret',
  'caller',
  'hops',
  'origin',
  'next_at',
  'created_at',
] as const
export type NewJob = Pick<JobRow, (typeof newColumns)[number]> & { next_at: string }

/** During an attempt, the column `next_at` has the end of the lease, which is not shown. */
export const nextAttemptAt: Derivation = {
  columns: ['status', 'next_at'],
  value: (column) => sql`case when ${column('status')} <> 'RUNNING' then ${column('next_at')} end`,
}

function pendingJob(p: NewJob) {
  return { ...pick(p, newColumns), status: 'PENDING', attempts: 0, attempts_before: 0 }
}

/**
 * Of two waiting jobs with one key, only the first is stored. The update locks the first until the transaction ends:
 * otherwise it could run before the change is committed that has enqueued the second.
 */
const insert = prepare((tables, p: NewJob) =>
  tables
    .insertInto('queued_job')
    .values(pendingJob(p))
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'pending_key'])
        .where('pending_key', 'is not', null)
        .doUpdateSet(({ ref }) => ({ pending_key: ref('excluded.pending_key') })),
    )
    .returning(['id', 'next_at']),
)

const insertUnlessStored = prepare((tables, p: NewJob) =>
  tables
    .insertInto('queued_job')
    .values(pendingJob(p))
    .onConflict((conflict) => conflict.doNothing()),
)

const lock = prepare((tables, p: { id: string }, dialect) =>
  tables
    .selectFrom('queued_job')
    .select(['name', 'status', 'attempts'])
    .where('id', '=', p.id)
    .$call(lockedIn(dialect)),
)

const deadOfName = prepare((tables, p: { name: string; until: string; limit: number }) =>
  tables
    .selectFrom('queued_job')
    .select('id')
    .where('status', '=', 'DEAD')
    .where('name', '=', p.name)
    .where('finished_at', '<=', p.until)
    .limit(sql<number>`${p.limit}`),
)

const setDue = prepare((tables, p: { ids: string; status: string; now: string }, dialect) =>
  tables
    .updateTable('queued_job')
    .set(({ ref }) => ({
      status: 'FAILING',
      next_at: p.now,
      finished_at: null,
      attempts_before: ref('attempts'),
    }))
    .where(inJsonRows(dialect, 'id', { json: p.ids, name: 'id', type: 'id' }))
    .where('status', '=', p.status),
)

/** @returns the stored job: another job with the key that has not begun, or this one */
export async function insertJob(data: TenantData, row: NewJob): Promise<{ id: string; dueAt: string }> {
  const stored = await data.first(insert, row)
  return { id: stored?.id ?? row.id, dueAt: stored?.next_at ?? row.next_at }
}

/** Does nothing for a job that is stored already, or whose key another job has that has not begun. */
export async function insertJobOnce(data: TenantData, row: NewJob): Promise<void> {
  await data.change(insertUnlessStored, row)
}

/** @returns `null` without a secret, and after it was deleted */
export async function findSecret(data: TenantData, id: string): Promise<Uint8Array | null> {
  const query = data.kysely.selectFrom('queued_job').select('secret').where('id', '=', id)
  return (await query.executeTakeFirst())?.secret ?? null
}

export async function deleteSecret(data: TenantData, id: string): Promise<void> {
  await data.kysely.updateTable('queued_job').set({ secret: null }).where('id', '=', id).execute()
}

/** Locks the job until the transaction ends. */
export function lockJob(
  data: TenantData,
  id: string,
): Promise<Pick<JobRow, 'name' | 'status' | 'attempts'> | null> {
  return data.first(lock, { id })
}

/** @param range jobs that failed later than `until` are left out */
export async function deadJobIds(
  data: TenantData,
  range: { name: string; until: string; limit: number },
): Promise<string[]> {
  return (await data.all(deadOfName, range)).map(({ id }) => id)
}

/** Makes jobs due that still have the status, with the whole retry schedule. @returns their number */
export function retryNow(
  data: TenantData,
  ids: readonly string[],
  { status, now }: { status: 'DEAD' | 'FAILING'; now: string },
): Promise<number> {
  return data.change(setDue, { ids: jsonOfIds(ids), status, now })
}

/**
 * Checks the jobs of an archive, which is an SQLite database.
 * @returns a job with a malformed due time, a status that is unknown or contradicts the due time, or too large data;
 *   `null` for none
 */
export async function findForeignJob(data: TenantData): Promise<string | null> {
  const row = await data.kysely
    .selectFrom('queued_job')
    .select('id')
    .where(({ or, eb }) =>
      or([
        sql<boolean>`next_at NOT GLOB ${momentPattern}`,
        eb('status', 'not in', ['PENDING', 'RUNNING', 'FAILING', 'SUCCEEDED', 'DEAD']),
        sql<boolean>`(next_at IS NULL) <> (status IN ('SUCCEEDED', 'DEAD'))`,
        sql<boolean>`octet_length(data) > 65536`,
        sql<boolean>`octet_length(secret) > 65536`,
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}
