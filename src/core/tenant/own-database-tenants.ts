import type { Database } from '../../database/executor.ts'
import type { Context, Tenant } from '../context.ts'
import { activeTenants } from './each-tenant.ts'
import { retryLogLevel } from './unavailable-database.ts'

/** Active tenants with their own database, page by page. */
export async function* tenantsWithOwnDatabase(context: Context): AsyncGenerator<Tenant> {
  for await (const tenant of activeTenants(context)) if (tenant.hasOwnDatabase) yield tenant
}

const dayMs = 24 * 60 * 60 * 1000

/**
 * Does daily work in every tenant's own database, one after the other. Closed databases are opened for it. Failed work
 * is repeated at the next call.
 * @param doneAt the time of the last work, by tenant
 */
export async function runDailyInOwnDatabases(
  context: Context,
  doneAt: Map<string, number>,
  { what, work, signal }: { what: string; work(database: Database): Promise<void>; signal: AbortSignal },
): Promise<void> {
  const { clock, tenantDatabases, log } = context.shared
  for await (const tenant of activeTenants(context)) {
    if (!tenant.hasOwnDatabase) continue
    signal.throwIfAborted()
    const now = clock().getTime()
    if (now - (doneAt.get(tenant.id) ?? 0) < dayMs) continue
    try {
      const lease = await tenantDatabases.lease(tenant)
      await work(lease.database).finally(() => lease.release())
      doneAt.set(tenant.id, now)
    } catch (error) {
      signal.throwIfAborted()
      log[retryLogLevel(error)]({ err: error, tenantId: tenant.id }, `${what} failed`)
    }
  }
}
