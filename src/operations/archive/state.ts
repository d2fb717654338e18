/** Reads one consistent state of a tenant, from the shared database and its own. */
import type { Context, Tenant } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { registry } from '../../core/tenant/directory.ts'
import { findTenant } from '../../core/tenant/sql.ts'
import type { Database, Executor } from '../../database/executor.ts'
import { findConnectionString } from '../../tenancy/sql.ts'
import { refuseWhileErased } from '../../tenancy/tenant.ts'
import { tenantTables } from '../rows/shape.ts'
import { openStored } from '../tenant-database.ts'

export interface TenantState {
  tenant: Tenant
  catalogue: Executor
  /** Reads the tenant's rows; equal to `catalogue` unless the tenant has its own database. */
  rows: Executor
  /** The database of `rows`. */
  database: Database
}

/**
 * The snapshot of the shared database is taken first, so that rows that are copied from it to the tenant's own
 * database, such as events, are in at least one of the snapshots.
 * @param shared a dedicated handle
 * @param key the tenant's case-folded id
 * @throws ServiceError `notFound`, `conflict` when the tenant is being erased, or assigned another database
 */
export function readTenantState<T>(
  context: Context,
  shared: Database,
  key: string,
  work: (state: TenantState) => Promise<T>,
): Promise<T> {
  return shared.snapshot(async (catalogue) => {
    const seen = registry(catalogue)
    const tenant = await findTenant(seen, key)
    if (tenant === null) throw new ServiceError('notFound', 'There is no such tenant.')
    refuseWhileErased(tenant)
    const encrypted = await findConnectionString(seen, key)
    if (encrypted === null) return work({ tenant, catalogue, rows: catalogue, database: shared })
    await using own = await openStored(context, encrypted, { tenantId: key })
    return await own.database.snapshot(async (rows) => {
      await tenantTables(rows) // the first read takes the snapshot
      await requireSameDatabase(context, key, encrypted)
      return work({ tenant, catalogue, rows, database: own.database })
    })
  })
}

/** Refuses to read a database that is not the tenant's any more, whose rows are stale. */
async function requireSameDatabase(context: Context, key: string, encrypted: Uint8Array): Promise<void> {
  const current = await findConnectionString(registry(context), key)
  if (current !== null && Buffer.compare(current, encrypted) === 0) return
  throw new ServiceError('conflict', 'The tenant is being assigned another database. Try again.')
}
