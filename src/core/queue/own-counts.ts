/** Counts waiting work in tenants' own databases, for metrics. Most are closed, so that their last counts are kept. */
import type { Database } from '../../database/executor.ts'
import type { Context } from '../context.ts'
import type { IntervalJob } from '../feature/job.ts'
import { lookUpTenant } from '../tenant/directory.ts'
import { withTenantDatabase } from '../tenant/with-database.ts'
import type { PendingTenants } from './pending-tenants.ts'

export interface OwnCounts {
  /** @param database the tenant's own, while it is open */
  countTenant(tenantId: string, database: Database): Promise<void>
  /** Forgets counts of other tenants. @param hasOwn whether the tenant still exists and has a database of its own */
  keepOwn(hasOwn: (tenantId: string) => Promise<boolean>): Promise<void>
  /**
   * Sets the counts of waiting work to 0 for tenants that are not pending. Counts of work that failed for good stay.
   */
  keepPending(pending: ReadonlySet<string>): void
}

const everyMs = 30_000
/** Databases that do not answer delay a stop, and the counts of the others, by at most this. */
const maxRunMs = 5000

/** Counts in the own databases of pending tenants, which are few and are visited anyway. */
export function ownCountsJob(all: readonly OwnCounts[], pendingTenants: PendingTenants): IntervalJob {
  /** The tenants in the order of their last count, oldest first. */
  let order: string[] = []
  /** The generation (see `idleGeneration`) at which a tenant was counted. Until it changes, the counts are current. */
  const counted = new Map<string, number | null>()
  const isCurrent = (id: string, generation: number | null) =>
    generation !== null && counted.get(id) === generation
  return {
    name: 'count in tenants’ databases',
    everyMs,
    run: async (operator) => {
      const pending = new Set(await pendingTenants.all())
      await forgetOthers(operator, all, pending)
      keepOnly(counted, pending)
      order = [...new Set([...order.filter((id) => pending.has(id)), ...pending])]
      const untilMs = performance.now() + maxRunMs
      for (const id of [...order]) {
        if (performance.now() >= untilMs) return
        const generation = pendingTenants.idleGeneration(id)
        if (isCurrent(id, generation)) continue
        order.push(...order.splice(order.indexOf(id), 1))
        if (await countOwn(operator, id, all)) counted.set(id, generation)
      }
    },
  }
}

async function forgetOthers(
  operator: Context,
  all: readonly OwnCounts[],
  pending: ReadonlySet<string>,
): Promise<void> {
  const hasOwn = async (id: string) => (await lookUpTenant(operator, id))?.hasOwnDatabase === true
  for (const counts of all) {
    await counts.keepOwn(hasOwn)
    counts.keepPending(pending)
  }
}

function keepOnly(counted: Map<string, unknown>, ids: ReadonlySet<string>): void {
  for (const id of counted.keys()) if (!ids.has(id)) counted.delete(id)
}

/** Counts active tenants only. @returns whether the tenant was counted */
async function countOwn(operator: Context, id: string, all: readonly OwnCounts[]): Promise<boolean> {
  const { shared } = operator
  const tenant = await lookUpTenant(operator, id)
  if (tenant === null || !tenant.isActive || !tenant.hasOwnDatabase) return false
  try {
    await withTenantDatabase(shared, tenant, async (database) => {
      for (const counts of all) await counts.countTenant(tenant.id, database)
    })
    return true
  } catch (error) {
    shared.log.debug({ err: error, tenantId: id }, 'what waits in a tenant was not counted')
    return false
  }
}
