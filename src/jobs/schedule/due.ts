/**
 * Stores due jobs of schedules in tenants' own databases. The catalogue has a row for each job that is not stored
 * yet, so that a database that is unavailable gets its job later.
 */
import type { Context } from '../../core/context.ts'
import type { Schedule } from '../../core/feature/schedule.ts'
import { lookUpTenant } from '../../core/tenant/directory.ts'
import { withTenant } from '../../core/tenant/each-tenant.ts'
import { retryLogLevel } from '../../core/tenant/unavailable-database.ts'
import { inCatalogue, inTransaction } from '../../core/transaction.ts'
import { scheduleRows, storeJob } from './occurrence.ts'
import { type DueOccurrence, deleteDueJob, dueJobs } from './sql.ts'

const pageSize = 200
/** The most databases that are open for this at a time. */
const maxAtOnce = 8
/** After this time, a due job of an unknown schedule is dropped: other instances may have known the schedule. */
const maxUnknownMs = 24 * 60 * 60 * 1000

/** A job that cannot be stored stays due. */
export async function storeInTenantDatabases(
  operator: Context,
  schedules: readonly Schedule[],
  signal: AbortSignal,
): Promise<void> {
  const known = new Map(schedules.map((schedule) => [schedule.name, schedule]))
  for (let after = ''; ; ) {
    const page = await dueJobs(scheduleRows(operator), after, pageSize)
    const remaining = [...page]
    const work = async (): Promise<void> => {
      for (let row = remaining.shift(); row !== undefined && !signal.aborted; row = remaining.shift())
        await store(operator, row, known.get(row.schedule))
    }
    // None of them throws: a stop waits for all of them, because they use databases that it closes.
    await Promise.all(Array.from({ length: maxAtOnce }, work))
    signal.throwIfAborted()
    // If a page ends between two rows of a tenant, the next call stores the further ones.
    const last = page.at(-1)?.tenant_id
    if (last === undefined || page.length < pageSize) return
    after = last
  }
}

async function store(operator: Context, row: DueOccurrence, schedule: Schedule | undefined): Promise<void> {
  const { log } = operator.shared
  try {
    if (await isStored(operator, row, schedule))
      await inCatalogue(operator, (inside) => deleteDueJob(scheduleRows(inside), row))
  } catch (error) {
    const detail = { err: error, tenantId: row.tenant_id, schedule: row.schedule }
    log[retryLogLevel(error)](detail, 'job of a schedule not stored yet')
  }
}

/** @returns whether the job is stored, or not due any more */
async function isStored(
  operator: Context,
  row: DueOccurrence,
  schedule: Schedule | undefined,
): Promise<boolean> {
  const ageMs = operator.shared.clock().getTime() - Date.parse(row.occurrence_at)
  if (schedule === undefined) return ageMs > maxUnknownMs
  const tenant = await lookUpTenant(operator, row.tenant_id)
  if (tenant === null || !tenant.isActive || tenant.isBeingErased) return true
  await withTenant(operator, tenant, (context) =>
    inTransaction(context, (inside) => storeJob(inside, schedule, row.occurrence_at)),
  )
  return true
}
