import { agedRows } from '../../database/aged-rows.ts'
import type { TenantData } from '../../database/data.ts'

export const agedJobs = agedRows('queued_job')

/** Deletes jobs, except jobs that wait or run, or that have ended later. */
export async function deleteEnded(data: TenantData, ids: readonly string[], before: string): Promise<void> {
  await data.kysely
    .deleteFrom('queued_job')
    .where('id', 'in', [...ids])
    .where('status', 'in', ['SUCCEEDED', 'DEAD'])
    .where('finished_at', '<', before)
    .execute()
}
