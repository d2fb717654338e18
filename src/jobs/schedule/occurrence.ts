/**
 * Stores the jobs of an occurrence of a schedule, one for each tenant. The progress is stored with them, so that no
 * instance stores a job twice.
 */
import { type Context, now, type Shared, type Tenant } from '../../core/context.ts'
import type { Schedule } from '../../core/feature/schedule.ts'
import { idOf } from '../../core/id.ts'
import { installation } from '../../core/installation.ts'
import { findTenants } from '../../core/tenant/each-tenant.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { type InstallationData, QueueData } from '../../database/data.ts'
import { DatabaseUnavailable } from '../../database/executor.ts'
import { jobQueueName, newJob, noteAfterCommit } from '../enqueue.ts'
import { insertJobOnce, type NewJob } from '../sql.ts'
import { noPosition, type Place } from './jitter.ts'
import { insertDueJobs, insertJobs, lockSchedule, type ScheduleRow, updateSchedule } from './sql.ts'

/** The most tenants in one transaction. */
const maxAtOnce = 100

/**
 * Begins the latest occurrence if it has not begun. If several were missed, the others are skipped. A schedule that is
 * seen for the first time, or whose expression has changed, begins with the next occurrence.
 */
export function beginOccurrence(operator: Context, schedule: Schedule): Promise<ScheduleRow> {
  return inCatalogue(operator, async (inside) => {
    const moment = now(inside)
    const { name, expression } = schedule
    const stored = await lockSchedule(scheduleRows(inside), {
      name,
      occurrence_at: moment,
      begun_at: moment,
      position: null,
      expression,
    })
    const row = await withExpression(inside, stored, expression)
    const latest = schedule.latest(new Date(moment))
    if (latest === null || latest.getTime() <= Date.parse(row.occurrence_at)) return row
    const isForTenants = schedule.for === 'tenants'
    const begun = {
      name,
      occurrence_at: latest.toISOString(),
      begun_at: moment,
      expression,
      position: isForTenants ? noPosition : null,
    }
    await updateSchedule(scheduleRows(inside), begun)
    if (!isForTenants) await storeJob(inside, schedule, begun.occurrence_at)
    return begun
  })
}

/**
 * After a change of the expression, earlier times of the new one are skipped. An
 * occurrence that has begun continues.
 */
async function withExpression(inside: Context, row: ScheduleRow, expression: string): Promise<ScheduleRow> {
  if (row.expression === expression) return row
  const isChanged = row.expression !== null
  const changed = { ...row, expression, ...(isChanged && { occurrence_at: now(inside) }) }
  await updateSchedule(scheduleRows(inside), changed)
  return changed
}

/** Stores the job of an occurrence for the context's tenant, unless it is stored. */
export async function storeJob(inside: Context, schedule: Schedule, occurrenceAt: string): Promise<void> {
  const moment = now(inside)
  const id = jobIdOf(schedule, occurrenceAt, inside.tenant.id)
  const row: NewJob = {
    ...sameForAll(inside.shared, schedule),
    id,
    hops: 0,
    origin: null,
    created_at: moment,
    next_at: moment,
  }
  await insertJobOnce(inside.data, row)
  noteAfterCommit(inside, moment)
}

export interface OccurrenceProgress {
  row: ScheduleRow
  /** Whether jobs are due for tenants with their own database. */
  isDue: boolean
  /** Whether further places may be due. */
  isMore: boolean
}

/**
 * Stores the jobs of the next places that are due, and the progress.
 * @param places of the occurrence, sorted
 */
export async function storeDueJobs(
  operator: Context,
  schedule: Schedule,
  begun: ScheduleRow,
  places: readonly Place[],
): Promise<OccurrenceProgress> {
  try {
    return await storeBatch(operator, { schedule, begun, places, isDueForAll: false })
  } catch (error) {
    // A tenant that is being moved refuses its row. The jobs of the whole batch are then stored tenant by tenant.
    if (!(error instanceof DatabaseUnavailable)) throw error
    return await storeBatch(operator, { schedule, begun, places, isDueForAll: true })
  }
}

interface Batch {
  schedule: Schedule
  begun: ScheduleRow
  places: readonly Place[]
  /** Whether the jobs are only marked as due, also for tenants in the shared database. */
  isDueForAll: boolean
}

function storeBatch(
  operator: Context,
  { schedule, begun, places, isDueForAll }: Batch,
): Promise<OccurrenceProgress> {
  return inCatalogue(operator, async (inside) => {
    const row = await lockSchedule(scheduleRows(inside), begun)
    const { position } = row
    if (row.begun_at !== begun.begun_at || position === null) return { row, isDue: false, isMore: false }
    const elapsedMs = Date.parse(now(inside)) - Date.parse(row.begun_at)
    const from = indexAfter(places, position)
    const next = places.slice(from, from + maxAtOnce).filter(({ delayMs }) => delayMs <= elapsedMs)
    const isLast = from + next.length >= places.length
    const tenants = await findTenants(
      inside,
      next.map(({ tenantKey }) => tenantKey),
    )
    const active = tenants.filter(({ isActive, isBeingErased }) => isActive && !isBeingErased)
    const due = active.filter(({ hasOwnDatabase }) => isDueForAll || hasOwnDatabase)
    await insertDueJobs(
      scheduleRows(inside),
      due.map(({ id }) => ({ tenant_id: id, schedule: row.name, occurrence_at: row.occurrence_at })),
    )
    const stored = active.filter((tenant) => !due.includes(tenant))
    await storeShared(inside, schedule, row.occurrence_at, stored)
    const progressed = { ...row, position: isLast ? null : (next.at(-1)?.position ?? position) }
    if (progressed.position !== position) await updateSchedule(scheduleRows(inside), progressed)
    return { row: progressed, isDue: due.length > 0, isMore: next.length === maxAtOnce && !isLast }
  })
}

/** Stores the jobs of tenants in the shared database, by one statement. */
async function storeShared(
  inside: Context,
  schedule: Schedule,
  occurrenceAt: string,
  tenants: readonly Tenant[],
): Promise<void> {
  const { shared, transaction } = inside
  if (transaction === null || tenants.length === 0) return
  const { name, key, pending_key: pendingKey, data } = sameForAll(shared, schedule)
  const jobs = tenants.map(({ id }) => ({ tenantId: id, id: jobIdOf(schedule, occurrenceAt, id) }))
  const moment = now(inside)
  await insertJobs(new QueueData(transaction), jobs, { name, key, pendingKey, data, now: moment })
  transaction.afterCommit(() => {
    for (const { tenantId } of jobs) {
      const due = { queue: jobQueueName, key: tenantId, dueMs: Date.parse(moment) }
      shared.noteDue(tenantId, shared.catalogueDatabase, due)
    }
  })
}

/**
 * The columns that are equal for all tenants. The name of the schedule is the key: while the job of an earlier
 * occurrence waits for its first attempt, no further one is stored.
 */
function sameForAll(shared: Shared, { job, name, data }: Schedule): ReturnType<typeof newJob> {
  const declared = shared.jobs.find(job.name)
  if (declared === null) throw new Error(`No feature declares the job ${job.name}.`)
  return newJob(declared, data, name)
}

/** The id follows from schedule, occurrence and tenant: each instance computes the same id, also after a crash. */
function jobIdOf({ name }: Schedule, occurrenceAt: string, tenantId: string): string {
  return idOf(new Date(occurrenceAt), `${name}\n${foldTenantId(tenantId)}`)
}

function indexAfter(places: readonly Place[], position: string): number {
  const index = places.findIndex((place) => place.position > position)
  return index < 0 ? places.length : index
}

export function scheduleRows(context: Context): InstallationData {
  return installation(context, 'a schedule has one progress, and its jobs are due for all tenants')
}
