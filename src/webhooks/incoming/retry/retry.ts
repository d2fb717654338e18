/** Runs what is due: what has failed, when its time has come, and what was beyond the first piece of a receipt. */
import { type Context, now, type Tenant } from '../../../core/context.ts'
import type { Job } from '../../../core/feature/feature.ts'
import { lookUpTenant } from '../../../core/tenant/directory.ts'
import { levelOf } from '../../../core/tenant/unavailable-database.ts'
import { QueueData, TenantData } from '../../../database/data.ts'
import type { Database } from '../../../database/executor.ts'
import { type Share, takeTurns } from './share.ts'
import { dueReceipts, hasWaitingRun, tenantsWithDueRuns } from './sql.ts'
import type { Waiting } from './waiting.ts'

const everyMs = 1000
/** How often databases are asked in which nothing is known to wait: an instance that has ended may have left it. */
const visitEveryMs = 30_000
/** Of a tenant, until others are looked for again that have something due. */
const mostOfTenant = 50

/** @param busy tenants whose own database may hold something that waits */
export function retryJob(waiting: Waiting, busy: () => Promise<string[]>): Job {
  let visitAtMs = 0
  return {
    name: 'actions tried again',
    everyMs,
    run: async (operator, signal) => {
      do {
        if (performance.now() >= visitAtMs) {
          visitAtMs = performance.now() + visitEveryMs
          for (const id of await busy()) waiting.note({ id, hasOwnDatabase: true })
        }
      } while (await retryDue(operator, waiting, signal))
    },
  }
}

/**
 * A round: some of what is due of every tenant, piece by piece in turn.
 * @returns whether there may be more that is due now
 */
export async function retryDue(operator: Context, waiting: Waiting, signal?: AbortSignal): Promise<boolean> {
  const shares = [...(await sharesOfShared(operator)), ...(await sharesOfOwn(operator, waiting))]
  return takeTurns(operator, shares, { schedule: waiting.retrySeconds, ...(signal && { signal }) })
}

/** Of every tenant whose rows are in the shared database. */
async function sharesOfShared(operator: Context): Promise<Share[]> {
  const database = operator.shared.catalogueDatabase
  const shares: Share[] = []
  for (const id of await tenantsWithDueRuns(new QueueData(database.executor), now(operator))) {
    const tenant = await lookUpTenant(operator, id)
    // Those of a deactivated tenant wait until it is active again.
    if (tenant === null || !tenant.isActive || tenant.hasOwnDatabase) continue
    shares.push(await shareOf(operator, tenant, database, (work) => work(database)))
  }
  return shares
}

async function sharesOfOwn(operator: Context, waiting: Waiting): Promise<Share[]> {
  const shares: Share[] = []
  for (const id of waiting.tenantIds()) {
    const share = await shareOfOwn(operator, id, waiting)
    if (share !== null) shares.push(share)
  }
  return shares
}

async function shareOfOwn(operator: Context, tenantId: string, waiting: Waiting): Promise<Share | null> {
  const tenant = await lookUpTenant(operator, tenantId)
  if (tenant === null || !tenant.isActive || !tenant.hasOwnDatabase) {
    waiting.forget(tenantId)
    return null
  }
  const leased = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const lease = await operator.shared.tenantDatabases.lease(tenant)
    return work(lease.database).finally(() => lease.release())
  }
  try {
    return await leased(async (database) => {
      waiting.forget(tenantId) // first: what begins to wait from here on is noted again
      if (!(await hasWaitingRun(new TenantData(tenant.id, database.executor)))) return null
      waiting.note(tenant)
      return shareOf(operator, tenant, database, leased)
    })
  } catch (error) {
    waiting.note(tenant)
    operator.shared.log[levelOf(error)]({ err: error, tenantId }, 'actions of a tenant not tried again')
    return null
  }
}

async function shareOf(
  operator: Context,
  tenant: Tenant,
  database: Database,
  withDatabase: Share['withDatabase'],
): Promise<Share> {
  const data = new TenantData(tenant.id, database.executor)
  const due = await dueReceipts(data, now(operator), mostOfTenant)
  return {
    tenant,
    withDatabase,
    receiptIds: [...new Set(due)],
    left: due.length,
    isAll: due.length < mostOfTenant,
  }
}

/** Whether the tenant's own database has to stay known: something there is still to be tried. */
export async function isAwaited(operator: Context, tenantId: string): Promise<boolean> {
  const tenant = await lookUpTenant(operator, tenantId)
  if (tenant === null || !tenant.hasOwnDatabase) return false
  const lease = await operator.shared.tenantDatabases.lease(tenant)
  return hasWaitingRun(new TenantData(tenant.id, lease.database.executor)).finally(() => lease.release())
}
