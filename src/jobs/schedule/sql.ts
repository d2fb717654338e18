/** The progress of schedules, and the jobs that they store or owe. */
import { type Selectable, sql } from 'kysely'
import type { InstallationData, QueueData } from '../../database/data.ts'
import type { JobScheduleTable, OwedJobTable } from '../../database/job-tables.ts'
import { jsonRows } from '../../database/json-rows.ts'
import { prepareForAll } from '../../database/prepared.ts'

export type ScheduleRow = Selectable<JobScheduleTable>
export type OwedJob = Selectable<OwedJobTable>

/** Adds the row unless it exists, and locks it until the transaction ends. */
export async function lockSchedule(catalogue: InstallationData, row: ScheduleRow): Promise<ScheduleRow> {
  const { kysely, executor } = catalogue
  await kysely
    .insertInto('job_schedule')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const query = kysely.selectFrom('job_schedule').selectAll().where('name', '=', row.name)
  return (executor.dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirstOrThrow()
}

export async function updateSchedule(
  catalogue: InstallationData,
  { name, ...progress }: ScheduleRow,
): Promise<void> {
  await catalogue.kysely.updateTable('job_schedule').set(progress).where('name', '=', name).execute()
}

/** Of two occurrences of a schedule that a tenant is owed, the later one stays. */
export async function insertOwedJobs(catalogue: InstallationData, rows: readonly OwedJob[]): Promise<void> {
  if (rows.length === 0) return
  await catalogue.kysely
    .insertInto('owed_job')
    .values([...rows])
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'schedule'])
        .doUpdateSet(({ ref }) => ({ occurrence_at: ref('excluded.occurrence_at') })),
    )
    .execute()
}

/** In the order of tenants. @param after the tenant after which the page begins; `''` for the first page */
export function owedJobs(catalogue: InstallationData, after: string, limit: number): Promise<OwedJob[]> {
  return catalogue.kysely
    .selectFrom('owed_job')
    .selectAll()
    .where('tenant_id', '>', after)
    .orderBy('tenant_id')
    .orderBy('schedule')
    .limit(limit)
    .execute()
}

/** Leaves the row when a later occurrence is owed by now. */
export async function deleteOwedJob(catalogue: InstallationData, row: OwedJob): Promise<void> {
  await catalogue.kysely
    .deleteFrom('owed_job')
    .where('tenant_id', '=', row.tenant_id)
    .where('schedule', '=', row.schedule)
    .where('occurrence_at', '=', row.occurrence_at)
    .execute()
}

/** The job of one tenant. */
export interface TenantJob {
  tenantId: string
  id: string
}

interface SameForAll {
  rows: string
  name: string
  key: string | null
  pendingKey: string | null
  data: string
  now: string
}

const insert = prepareForAll((tables, p: SameForAll, dialect) =>
  tables
    .insertInto('queued_job')
    .columns([
      'tenant_id',
      'id',
      'name',
      'key',
      'pending_key',
      'data',
      'status',
      'attempts',
      'attempts_before',
      'hops',
      'next_at',
      'created_at',
    ])
    .expression(
      (from) =>
        from
          .selectFrom(jsonRows<TenantJob, 'given'>(dialect, p.rows, { tenantId: 'key', id: 'id' }, 'given'))
          .select(({ val, cast, lit }) => [
            'given.tenantId',
            'given.id',
            cast<string>(val(p.name), 'text').as('name'),
            cast<string | null>(val(p.key), 'text').as('key'),
            cast<string | null>(val(p.pendingKey), 'text').as('pendingKey'),
            cast<string>(val(p.data), 'text').as('data'),
            sql<string>`'PENDING'`.as('status'),
            lit(0).as('attempts'),
            lit(0).as('attemptsBefore'),
            lit(0).as('hops'),
            cast<string>(val(p.now), dialect === 'postgres' ? 'timestamptz' : 'text').as('nextAt'),
            cast<string>(val(p.now), dialect === 'postgres' ? 'timestamptz' : 'text').as('createdAt'),
          ])
          .where(({ lit }) => lit(true)), // SQLite reads ON CONFLICT as a part of the join otherwise
    )
    .onConflict((conflict) => conflict.doNothing()),
)

/** One statement for many tenants of this database. A job that is stored already stays as it is. */
export async function insertJobs(
  queue: QueueData,
  jobs: readonly TenantJob[],
  same: Omit<SameForAll, 'rows'>,
): Promise<void> {
  if (jobs.length > 0) await queue.change(insert, { ...same, rows: JSON.stringify(jobs) })
}
