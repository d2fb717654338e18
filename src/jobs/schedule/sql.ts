/** Statements on the progress of schedules, and on their jobs that are due in databases of tenants. */
import { type Selectable, sql } from 'kysely'
import type { InstallationData, QueueData } from '../../database/data.ts'
import { jsonRows, keyRows, type RowKey } from '../../database/json-rows.ts'
import { lockedIn } from '../../database/locked-rows.ts'
import { pick, prepareForAll, prepareForInstallation } from '../../database/prepared.ts'
import type { JobScheduleTable, OwedJobTable } from './table.ts'

export type ScheduleRow = Selectable<JobScheduleTable>
export type DueOccurrence = Selectable<OwedJobTable>

const columns = ['name', 'occurrence_at', 'begun_at', 'position', 'expression'] as const

const first = prepareForInstallation((tables, p: ScheduleRow) =>
  tables
    .insertInto('job_schedule')
    .values(pick(p, columns))
    .onConflict((conflict) => conflict.column('name').doNothing()),
)

const locked = prepareForInstallation((tables, p: { name: string }, dialect) =>
  tables.selectFrom('job_schedule').selectAll().where('name', '=', p.name).$call(lockedIn(dialect)),
)

/** Adds the row unless it exists, and locks it until the transaction ends. */
export async function lockSchedule(installation: InstallationData, row: ScheduleRow): Promise<ScheduleRow> {
  await installation.change(first, row)
  const stored = await installation.first(locked, { name: row.name })
  if (stored === null) throw new Error(`The schedule ${row.name} was removed.`)
  return stored
}

const progressed = prepareForInstallation((tables, p: ScheduleRow) =>
  tables
    .updateTable('job_schedule')
    .set(pick(p, ['occurrence_at', 'begun_at', 'position', 'expression']))
    .where('name', '=', p.name),
)

export async function updateSchedule(installation: InstallationData, row: ScheduleRow): Promise<void> {
  await installation.change(progressed, row)
}

const due = prepareForInstallation((tables, p: { rows: string }, dialect) =>
  tables
    .insertInto('owed_job')
    .columns(['tenant_id', 'schedule', 'occurrence_at'])
    .expression(
      (from) =>
        from
          .selectFrom(jsonRows<DueOccurrence>(dialect, p.rows, dueTypes))
          .select(['given.tenant_id', 'given.schedule', 'given.occurrence_at'])
          .where(({ lit }) => lit(true)), // SQLite reads ON CONFLICT as a part of the join otherwise
    )
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'schedule'])
        .doUpdateSet(({ ref }) => ({ occurrence_at: ref('excluded.occurrence_at') })),
    ),
)

const dueTypes = { tenant_id: 'key', schedule: 'key', occurrence_at: 'timestamp' } as const

/** If two occurrences of a schedule are due for a tenant, the later one stays. */
export async function insertDueJobs(
  installation: InstallationData,
  rows: readonly DueOccurrence[],
): Promise<void> {
  if (rows.length > 0) await installation.change(due, { rows: JSON.stringify(rows) })
}

const duePage = prepareForInstallation((tables, p: { after: string; limit: number }) =>
  tables
    .selectFrom('owed_job')
    .selectAll()
    .where('tenant_id', '>', p.after)
    .orderBy('tenant_id')
    .orderBy('schedule')
    .limit(p.limit),
)

/** @param after the last tenant of the page before; `''` for the first page @returns due jobs, sorted by tenant */
export function dueJobs(
  installation: InstallationData,
  after: string,
  limit: number,
): Promise<DueOccurrence[]> {
  return installation.all(duePage, { after, limit })
}

const removed = prepareForInstallation((tables, p: DueOccurrence) =>
  tables
    .deleteFrom('owed_job')
    .where('tenant_id', '=', p.tenant_id)
    .where('schedule', '=', p.schedule)
    .where('occurrence_at', '=', p.occurrence_at),
)

/** Deletes the row, unless a later occurrence is due in the meantime. */
export async function deleteDueJob(installation: InstallationData, row: DueOccurrence): Promise<void> {
  await installation.change(removed, row)
}

/** The columns that are equal for all tenants. */
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
          .selectFrom(keyRows(dialect, p.rows))
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

/** Inserts the jobs of many tenants of this database by one statement. A job that is stored already stays unchanged. */
export async function insertJobs(
  queue: QueueData,
  jobs: readonly RowKey[],
  same: Omit<SameForAll, 'rows'>,
): Promise<void> {
  if (jobs.length > 0) await queue.change(insert, { ...same, rows: JSON.stringify(jobs) })
}
