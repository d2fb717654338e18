import type { BatchStart } from '../../core/retention.ts'
import type { QueueData, TenantData } from '../../database/data.ts'
import { prepare, prepareForAll } from '../../database/prepared.ts'

const tenant = prepareForAll((tables, p: { after: string }) =>
  tables
    .selectFrom('queued_job')
    .select(({ fn }) => fn.min('tenant_id').as('tenantId'))
    .where('tenant_id', '>', p.after),
)

const nextJobs = prepare((tables, p: BatchStart) =>
  tables
    .selectFrom('queued_job')
    .select('id')
    .where('id', '>', p.after)
    .where('id', '<', p.beforeId)
    .orderBy('id')
    .limit(p.rows),
)

/** @returns the next tenant that has jobs, `null` after the last */
export async function tenantAfter(queue: QueueData, after: string): Promise<string | null> {
  const [row] = await queue.all(tenant, { after })
  return row?.tenantId ?? null
}

/** @returns the ids of the next rows */
export async function jobsAfter(data: TenantData, start: BatchStart): Promise<string[]> {
  return (await data.all(nextJobs, start)).map(({ id }) => id)
}

/** Jobs that wait or run stay, and so do those that have ended later. */
export async function deleteEnded(data: TenantData, ids: readonly string[], before: string): Promise<void> {
  await data.kysely
    .deleteFrom('queued_job')
    .where('id', 'in', [...ids])
    .where('status', 'in', ['SUCCEEDED', 'DEAD'])
    .where('finished_at', '<', before)
    .execute()
}
