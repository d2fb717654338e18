/** Row types of schedules. */
import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    job_schedule: JobScheduleTable
    owed_job: OwedJobTable
  }
}

/** The progress of a schedule. */
export interface JobScheduleTable {
  name: string
  /** The last occurrence that has begun. */
  occurrence_at: string
  /** When this occurrence began: later than `occurrence_at` if no instance was running at that time. */
  begun_at: string
  /** The place of the last tenant whose job is stored (`jitter.ts`); `null` when all jobs are stored. */
  position: string | null
  /** The cron expression and the time zone by which the row was computed; `null`: not known. */
  expression: string | null
}

/** A job of a schedule that has yet to be stored in the database of its tenant. */
export interface OwedJobTable {
  tenant_id: TenantColumn
  schedule: string
  occurrence_at: string
}
