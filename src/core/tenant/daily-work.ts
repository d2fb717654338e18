import type { Database } from '../../database/executor.ts'
import type { Context, Shared, Tenant } from '../context.ts'
import { activeTenants } from './each-tenant.ts'
import { retryLogLevel } from './unavailable-database.ts'
import { withTenantDatabase } from './with-database.ts'

/** Does background work once a day in each active tenant, such as removing old rows from its database. */

const dayMs = 24 * 60 * 60 * 1000

/** One run of the work in one tenant. */
export interface DailyRun {
  shared: Shared
  tenant: Tenant
  database: Database
  /** Aborted when the service stops. */
  signal: AbortSignal
}

interface DailyWork {
  /** The name of the work in the log. */
  what: string
  /** How often the work is done in a tenant: once a day, or at each run of the job; `null` for never. */
  every: (tenant: Tenant) => 'day' | 'run' | null
  work: (run: DailyRun) => Promise<void>
}

/**
 * Does work once a day in active tenants, one after the other. Closed databases are opened for it. Failed work is
 * repeated at the next call.
 * @returns a function that a job calls, which runs more often than once a day
 */
export function dailyWork({
  what,
  every,
  work,
}: DailyWork): (context: Context, signal: AbortSignal) => Promise<void> {
  const doneAt = new Map<string, number>()
  const isDue = (tenant: Tenant, nowMs: number): boolean => {
    const interval = every(tenant)
    return interval === 'run' || (interval === 'day' && nowMs - (doneAt.get(tenant.id) ?? 0) >= dayMs)
  }
  return async (context, signal) => {
    const { shared } = context
    const { clock, log } = shared
    const nowMs = clock().getTime()
    for await (const tenant of activeTenants(context)) {
      signal.throwIfAborted()
      if (!isDue(tenant, nowMs)) continue
      try {
        await withTenantDatabase(shared, tenant, (database) => work({ shared, tenant, database, signal }))
        if (every(tenant) === 'day') doneAt.set(tenant.id, nowMs)
      } catch (error) {
        signal.throwIfAborted()
        log[retryLogLevel(error)]({ err: error, tenantId: tenant.id }, `${what} failed`)
      }
    }
  }
}
