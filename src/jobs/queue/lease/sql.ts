/** Statements on leased jobs: begun, extended, returned, ended. */
import { sql } from 'kysely'
import type { LeasedRow } from '../../../core/queue/leased-work.ts'
import type { QueueData, TenantData } from '../../../database/data.ts'
import {
  isGivenRow,
  jsonOfKeys,
  jsonRows,
  keyRows,
  type RowKey,
  rowKeyColumns,
} from '../../../database/json-rows.ts'
import { prepare, prepareForAll } from '../../../database/prepared.ts'
import { pendingIndexKey } from '../../../database/sql-text.ts'

interface JobLease {
  lease: string
  until: string
  now: string
}

const begin = prepareForAll((tables, p: JobLease & { rows: string }, dialect) =>
  tables
    .updateTable('queued_job')
    .from(keyRows(dialect, p.rows))
    .set(({ eb }) => ({
      status: 'RUNNING',
      attempts: eb('attempts', '+', 1),
      lease: p.lease,
      next_at: p.until,
      started_at: p.now,
      pending_key: null,
    }))
    .where(isGivenRow(dialect, 'queued_job')),
)

/** Leases jobs, inside the transaction that has found them: no other instance claims them until the lease ends. */
export async function leaseJobs(queue: QueueData, due: readonly RowKey[], lease: JobLease): Promise<void> {
  if (due.length > 0) await queue.change(begin, { ...lease, rows: jsonOfKeys(due) })
}

const leasedColumns = { ...rowKeyColumns, lease: 'text' } as const

const extend = prepareForAll((tables, p: { rows: string; until: string }, dialect) =>
  tables
    .updateTable('queued_job')
    .from(jsonRows<LeasedRow>(dialect, p.rows, leasedColumns))
    .set({ next_at: p.until })
    .where(isGivenRow(dialect, 'queued_job'))
    .whereRef('queued_job.lease', '=', 'given.lease')
    .returning(['queued_job.tenant_id as tenantId', 'queued_job.id']),
)

/** @returns the jobs that still have their lease */
export function extendLeases(
  queue: QueueData,
  leased: readonly LeasedRow[],
  until: string,
): Promise<RowKey[]> {
  return queue.all(extend, { rows: JSON.stringify(leased), until })
}

const giveBack = prepareForAll((tables, p: LeasedRow & { now: string }) =>
  tables
    .updateTable('queued_job')
    .set(({ eb }) => ({
      status: sql<string>`case when attempts > 1 then 'FAILING' else 'PENDING' end`,
      attempts: eb('attempts', '-', 1),
      lease: null,
      next_at: p.now,
    }))
    .where('tenant_id', '=', p.tenantId)
    .where('id', '=', p.id)
    .where('lease', '=', p.lease),
)

/** Makes the job due now, as if its attempt had not begun. */
export async function returnJob(queue: QueueData, leased: LeasedRow, now: string): Promise<void> {
  await queue.change(giveBack, { ...leased, now })
}

/** The state of a job after an attempt. */
export interface JobState extends LeasedRow {
  status: 'SUCCEEDED' | 'FAILING' | 'DEAD'
  nextAt: string | null
  finishedAt: string | null
  error: string | null
}

const stateColumns = {
  ...leasedColumns,
  status: 'text',
  nextAt: 'timestamp',
  finishedAt: 'timestamp',
  error: 'text',
} as const

const setState = prepareForAll((tables, p: { rows: string }, dialect) =>
  tables
    .updateTable('queued_job')
    .from(jsonRows<JobState>(dialect, p.rows, stateColumns))
    .set(({ ref }) => ({
      status: ref('given.status'),
      next_at: ref('given.nextAt'),
      lease: null,
      finished_at: ref('given.finishedAt'),
      error: ref('given.error'),
    }))
    .where(isGivenRow(dialect, 'queued_job'))
    .whereRef('queued_job.lease', '=', 'given.lease')
    .returning(['queued_job.tenant_id as tenantId', 'queued_job.id']),
)

/** @returns the jobs that still had their lease */
export function writeStates(queue: QueueData, states: readonly JobState[]): Promise<RowKey[]> {
  return queue.all(setState, { rows: JSON.stringify(states) })
}

const end = prepareForAll((tables, p: { rows: string; now: string; error: string }, dialect) =>
  tables
    .updateTable('queued_job')
    .from(keyRows(dialect, p.rows))
    .set({ status: 'DEAD', next_at: null, lease: null, finished_at: p.now, error: p.error })
    .where(isGivenRow(dialect, 'queued_job')),
)

/** Marks jobs as dead, inside the transaction that has found them. */
export async function endJobs(
  queue: QueueData,
  jobs: readonly RowKey[],
  { now, error }: { now: string; error: string },
): Promise<void> {
  await queue.change(end, { rows: jsonOfKeys(jobs), now, error })
}

const expire = prepareForAll((tables, p: { now: string; error: string }) =>
  tables
    .updateTable('queued_job')
    .set({ status: 'FAILING', lease: null, next_at: p.now, error: p.error })
    .where('next_at', 'is not', null)
    .where('lease', 'is not', null),
)

/** Makes all leased jobs due. They are few: an instance runs a bounded number. */
export async function expireLeases(queue: QueueData, now: string, error: string): Promise<void> {
  await queue.change(expire, { now, error })
}

const leasedOfTenant = prepare((tables, p: { tenantId: string; now: string }, dialect) =>
  tables
    .selectFrom('queued_job')
    .select('id')
    .where(pendingIndexKey(dialect, 'queued_job.tenant_id'), '=', p.tenantId)
    .where('next_at', '>', p.now)
    .where('lease', 'is not', null)
    .limit(1),
)

/** Whether a job of the tenant has a lease that has not ended. */
export async function hasLease(data: TenantData, now: string): Promise<boolean> {
  return (await data.first(leasedOfTenant, { tenantId: data.tenantId, now })) !== null
}
