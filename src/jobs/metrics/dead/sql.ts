import { sql } from 'kysely'
import { countApart, countInTenant } from '../../../database/count-apart.ts'
import type { QueueData, TenantData } from '../../../database/data.ts'
import type { Dialect } from '../../../database/executor.ts'
import { prepare, prepareForAll } from '../../../database/prepared.ts'
import { withinTime } from '../../../database/scan.ts'

export interface DeadNames {
  tenant_id: string
  name: string
  count: number
}

/** The condition has the text of the partial index: otherwise the database would not use the index. */
export const isDead = (dialect: Dialect) =>
  withinTime(dialect, 'queued_job.tenant_id', sql`queued_job.status = 'DEAD'`)

const ofAll = prepareForAll((tables, p: { groups: number }, dialect) =>
  tables
    .selectFrom('queued_job')
    .select(({ fn }) => ['tenant_id', 'name', fn.countAll<number>().as('count')])
    .where(isDead(dialect))
    .groupBy(['tenant_id', 'name'])
    .orderBy('count', 'desc')
    .limit(sql<number>`${p.groups}`),
)

/**
 * Counts by tenant and name, for all tenants of this database.
 * @returns the largest groups
 * @throws StatementTimedOut, DatabaseUnavailable
 */
export function countDead(queue: QueueData, groups: number): Promise<DeadNames[]> {
  return countApart(queue, ofAll, { groups })
}

const ofTenant = prepare((tables, p: { groups: number }, dialect) =>
  tables
    .selectFrom('queued_job')
    .select(({ fn }) => ['name', fn.countAll<number>().as('count')])
    .where(isDead(dialect))
    .groupBy('name')
    .orderBy('count', 'desc')
    .limit(sql<number>`${p.groups}`),
)

/** Counts by name, for one tenant. @throws StatementTimedOut, DatabaseUnavailable */
export function countDeadOf(data: TenantData, groups: number): Promise<Omit<DeadNames, 'tenant_id'>[]> {
  return countInTenant(data, ofTenant, { groups })
}
