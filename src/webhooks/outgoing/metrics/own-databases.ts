/** Counts in pending tenants' own databases: they are few, and visited anyway. */
import type { Context } from '../../../core/context.ts'
import type { Job } from '../../../core/feature/feature.ts'
import type { PendingTenants } from '../../../core/queue/pending-tenants.ts'
import { lookUpTenant } from '../../../core/tenant/directory.ts'
import type { QueueFigures } from './figures.ts'

const everyMs = 30_000
/** Of one run: databases that do not answer delay a stop and the other figures for no longer. */
const maxTurnMs = 5000

export function figuresJob(figures: QueueFigures, pendingTenants: PendingTenants): Job {
  /** In the order of the last count, oldest first. */
  let order: string[] = []
  /** Tenants that were counted while nothing waited there: their figures stay. */
  const counted = new Map<string, number | null>()
  const isCounted = (id: string, finding: number | null) => finding !== null && counted.get(id) === finding
  return {
    name: 'figures of deliveries',
    everyMs,
    run: async (operator) => {
      const ids = new Set(await pendingTenants.all())
      figures.settle(ids)
      forgetOthers(counted, ids)
      // New ones are last.
      order = [...new Set([...order.filter((id) => ids.has(id)), ...ids])]
      const untilMs = performance.now() + maxTurnMs
      for (const id of [...order]) {
        if (performance.now() >= untilMs) return
        const generation = pendingTenants.idleGeneration(id)
        if (isCounted(id, generation)) continue
        order.push(...order.splice(order.indexOf(id), 1))
        if (await lookAt(operator, id, figures)) counted.set(id, generation)
      }
    },
  }
}

function forgetOthers(counted: Map<string, unknown>, ids: ReadonlySet<string>): void {
  for (const id of counted.keys()) if (!ids.has(id)) counted.delete(id)
}

/** Only active tenants are counted. @returns whether it was */
async function lookAt(operator: Context, id: string, figures: QueueFigures): Promise<boolean> {
  const { tenantDatabases, log } = operator.shared
  const tenant = await lookUpTenant(operator, id)
  if (tenant === null || !tenant.isActive || !tenant.hasOwnDatabase) return false
  try {
    const lease = await tenantDatabases.lease(tenant)
    await figures.look(tenant.id, lease.database).finally(() => lease.release())
    return true
  } catch (error) {
    log.debug({ err: error, tenantId: id }, 'deliveries of a tenant not counted')
    return false
  }
}
