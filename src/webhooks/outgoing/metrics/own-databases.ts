/** Counts in the databases of tenants in which something may wait: few of them, and each is visited anyway. */
import type { Context } from '../../../core/context.ts'
import type { Job } from '../../../core/feature/feature.ts'
import { lookUpTenant } from '../../../core/tenant/directory.ts'
import type { PendingTenants } from '../pending-tenants/pending-tenants.ts'
import type { QueueFigures } from './figures.ts'

const everyMs = 30_000
/** Of one turn: databases that do not answer hold up neither a stop nor, for long, the figures of the others. */
const longestTurnMs = 5000

export function figuresJob(figures: QueueFigures, pendingTenants: PendingTenants): Job {
  /** Whoever comes first was looked at longest ago. */
  let order: string[] = []
  /** Since nothing waits there: what was counted then stays so. */
  const counted = new Map<string, number | null>()
  const isCounted = (id: string, finding: number | null) => finding !== null && counted.get(id) === finding
  return {
    name: 'figures of deliveries',
    everyMs,
    run: async (operator) => {
      const ids = new Set(await pendingTenants.marked())
      figures.settle(ids)
      forgetOthers(counted, ids)
      // Whoever is new comes last.
      order = [...new Set([...order.filter((id) => ids.has(id)), ...ids])]
      const untilMs = performance.now() + longestTurnMs
      for (const id of [...order]) {
        if (performance.now() >= untilMs) return
        const finding = pendingTenants.idleFinding(id)
        if (isCounted(id, finding)) continue
        order.push(...order.splice(order.indexOf(id), 1))
        if (await lookAt(operator, id, figures)) counted.set(id, finding)
      }
    },
  }
}

function forgetOthers(counted: Map<string, unknown>, ids: ReadonlySet<string>): void {
  for (const id of counted.keys()) if (!ids.has(id)) counted.delete(id)
}

/** The engine opens those of active tenants only. @returns whether it was counted */
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
