/** One state of all that a tenant has, wherever it is, for as long as it is read. */
import type { Context, Tenant } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { findTenant } from '../../core/tenant/sql.ts'
import { CatalogueData } from '../../database/data.ts'
import type { Database, Executor } from '../../database/executor.ts'
import { findConnectionString } from '../../tenancy/sql.ts'
import { refuseWhileErased } from '../../tenancy/under-way.ts'
import { tenantTables } from '../rows/shape.ts'
import { openStored } from '../tenant-database.ts'

export interface TenantState {
  tenant: Tenant
  catalogue: Executor
  /** Where the tenant's rows are: the catalogue as well, unless it has a database of its own. */
  rows: Executor
  /** That of `rows`. */
  database: Database
}

/**
 * The shared database is read as of no later than the tenant's own: what goes from the one to the other meanwhile, such
 * as events, is then seen in both, and never in neither.
 * @param shared a handle of its own @param key the tenant's folded id
 * @throws ServiceError `notFound`, `conflict` when the tenant is being erased, or given another database at this moment
 */
export function readTenantState<T>(
  context: Context,
  shared: Database,
  key: string,
  work: (state: TenantState) => Promise<T>,
): Promise<T> {
  return shared.snapshot(async (catalogue) => {
    const seen = new CatalogueData(catalogue)
    const tenant = await findTenant(seen, key)
    if (tenant === null) throw new ServiceError('notFound', 'There is no such tenant.')
    refuseWhileErased(tenant)
    const sealed = await findConnectionString(seen, key)
    if (sealed === null) return work({ tenant, catalogue, rows: catalogue, database: shared })
    const own = await openStored(context, sealed)
    try {
      return await own.database.snapshot(async (rows) => {
        await tenantTables(rows) // the first read makes the snapshot
        await requireSamePlace(context, key, sealed)
        return work({ tenant, catalogue, rows, database: own.database })
      })
    } finally {
      await own.database.close()
    }
  })
}

/** What a move has left behind is not the tenant any more. */
async function requireSamePlace({ catalogue }: Context, key: string, sealed: Uint8Array): Promise<void> {
  const present = await findConnectionString(catalogue, key)
  if (present !== null && Buffer.compare(present, sealed) === 0) return
  throw new ServiceError('conflict', 'The tenant is being given another database. Try again.')
}
