import type { Database } from '../../database/executor.ts'
import type { Context } from '../context.ts'
import { tenantsWithOwnDatabase } from './own-database-tenants.ts'
import { levelOf } from './unavailable-database.ts'

const dayMs = 24 * 60 * 60 * 1000

/**
 * Does something in every tenant's own database, one after the other: most of them are closed, and have to be opened
 * for it. What fails is tried again at the next call.
 * @param doneAt when it was done last, by tenant; once a day is enough
 */
export async function dailyInOwnDatabases(
  context: Context,
  doneAt: Map<string, number>,
  { what, work, signal }: { what: string; work(database: Database): Promise<void>; signal: AbortSignal },
): Promise<void> {
  const { clock, tenantDatabases, log } = context.shared
  for await (const tenant of tenantsWithOwnDatabase(context)) {
    signal.throwIfAborted()
    const now = clock().getTime()
    if (now - (doneAt.get(tenant.id) ?? 0) < dayMs) continue
    try {
      const lease = await tenantDatabases.lease(tenant)
      await work(lease.database).finally(() => lease.release())
      doneAt.set(tenant.id, now)
    } catch (error) {
      signal.throwIfAborted()
      log[levelOf(error)]({ err: error, tenantId: tenant.id }, `${what} failed`)
    }
  }
}
