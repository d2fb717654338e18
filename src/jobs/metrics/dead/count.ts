/** Counts dead jobs, whose last attempt failed, by tenant and name. The counts contain no data of jobs. */

import type { OwnCounts } from '../../../core/queue/own-counts.ts'
import { tenantsWith } from '../../../database/count-apart.ts'
import { QueueData, TenantData } from '../../../database/data.ts'
import type { Database } from '../../../database/executor.ts'
import { countDead, countDeadOf, isDead } from './sql.ts'

export interface DeadJobs {
  tenantId: string
  name: string
  jobs: number
}

/**
 * @param names how many names to return: those with the most dead jobs
 * @throws StatementTimedOut, DatabaseUnavailable
 */
export async function countDeadJobs(database: Database, names: number): Promise<DeadJobs[]> {
  const rows = await countDead(new QueueData(database.executor, database), names)
  return rows.map(({ tenant_id: tenantId, name, count }) => ({ tenantId, name, jobs: Number(count) }))
}

export const tenantsWithDeadJobs = tenantsWith('queued_job', isDead)

/** The most names that are counted in a tenant's own database. */
const maxNames = 50

/** Remembers the last counts of tenants' own databases, which are mostly closed. */
export class OwnDeadJobs implements OwnCounts {
  readonly byTenant = new Map<string, readonly DeadJobs[]>()

  async countTenant(tenantId: string, database: Database): Promise<void> {
    const rows = await countDeadOf(new TenantData(tenantId, database.executor, database), maxNames)
    if (rows.length === 0) this.byTenant.delete(tenantId)
    else
      this.byTenant.set(
        tenantId,
        rows.map(({ name, count }) => ({ tenantId, name, jobs: Number(count) })),
      )
  }

  /** Forgets tenants that no longer have a database of their own. */
  async keepOwn(hasOwn: (tenantId: string) => Promise<boolean>): Promise<void> {
    for (const id of [...this.byTenant.keys()]) if (!(await hasOwn(id))) this.byTenant.delete(id)
  }

  keepPending(): void {
    // Dead jobs do not wait: their counts stay.
  }
}
