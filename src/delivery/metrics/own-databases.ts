/** Counts in the databases of tenants in which something may wait: few of them, and each is visited anyway. */
import type { Context } from '../../context.ts'
import { TenantData } from '../../database/data.ts'
import type { Job } from '../../feature.ts'
import { lookUpTenant } from '../../tenant/lookup.ts'
import type { QueueFigures } from './figures.ts'

const everyMs = 30_000
/** Of one turn: databases that do not answer hold up neither a stop nor, for long, the figures of the others. */
const longestTurnMs = 5000

/** @param marked tenants whose own database may hold something that waits */
export function figuresJob(figures: QueueFigures, marked: () => Promise<string[]>): Job {
  /** Whoever comes first was looked at longest ago. */
  let order: string[] = []
  return {
    name: 'figures of deliveries',
    everyMs,
    run: async (operator) => {
      const ids = new Set(await marked())
      figures.settle(ids)
      // Whoever is new comes last.
      order = [...new Set([...order.filter((id) => ids.has(id)), ...ids])]
      const untilMs = performance.now() + longestTurnMs
      for (const id of [...order]) {
        if (performance.now() >= untilMs) return
        order.push(...order.splice(order.indexOf(id), 1))
        await lookAt(operator, id, figures)
      }
    },
  }
}

/** The engine opens those of active tenants only. */
async function lookAt(operator: Context, id: string, figures: QueueFigures): Promise<void> {
  const { tenantDatabases, log } = operator.shared
  const tenant = await lookUpTenant(operator, id)
  if (tenant === null || !tenant.isActive || !tenant.hasOwnDatabase) return
  try {
    const lease = await tenantDatabases.lease(tenant)
    const data = new TenantData(tenant.id, lease.database.executor)
    await figures.look(data).finally(() => lease.release())
  } catch (error) {
    log.debug({ err: error, tenantId: id }, 'deliveries of a tenant not counted')
  }
}
