import type { Database } from '../../database/executor.ts'
import type { Context } from '../context.ts'
import { activeTenants } from './each-tenant.ts'
import { retryLogLevel } from './unavailable-database.ts'
import { withTenantDatabase } from './with-database.ts'

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
  const { shared } = context
  const { clock, log } = shared
  for await (const tenant of activeTenants(context)) {
    if (!tenant.hasOwnDatabase) continue
    signal.throwIfAborted()
    const now = clock().getTime()
    if (now - (doneAt.get(tenant.id) ?? 0) < dayMs) continue
    try {
      await withTenantDatabase(shared, tenant, work)
      doneAt.set(tenant.id, now)
    } catch (error) {
      signal.throwIfAborted()
      log[retryLogLevel(error)]({ err: error, tenantId: tenant.id }, `${what} failed`)
    }
  }
}
