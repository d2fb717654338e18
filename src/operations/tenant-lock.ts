import { type Context, type DedicatedDatabase, hostTenantId, type Tenant } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import { foldTenantId } from '../core/tenant/directory.ts'
import { findTenant } from '../core/tenant/sql.ts'
import { runLocked } from './rows/lock.ts'

interface Task<T> {
  /** Of the host tenant, which has to stay as it is. */
  refusal: string
  /** Also where the shared database has tables of features that are not in this process. */
  allowUnknownTables: boolean
  /** @param shared the shared database, opened for this alone */
  work(tenant: Tenant, shared: DedicatedDatabase): Promise<T>
}

/**
 * Does what no other process may do with the same tenant meanwhile: moving or erasing it.
 * @throws ServiceError `notFound`, `invalid` for the host tenant, `conflict` when another process is at it
 */
export async function withTenantLock<T>(context: Context, id: string, task: Task<T>): Promise<T> {
  const key = foldTenantId(id)
  const tenant = await findTenant(context.catalogue, key)
  if (tenant === null) throw new ServiceError('notFound', 'There is no such tenant.')
  if (tenant.id === hostTenantId) throw new ServiceError('invalid', task.refusal)
  return withTenantKeyLock(context, key, {
    others: 'moving or erasing',
    allowUnknownTables: task.allowUnknownTables,
    work: (shared) => task.work(tenant, shared),
  })
}

/**
 * The same for a tenant that need not be there.
 * @param key its folded id @param others what another process may be doing @throws ServiceError `conflict`
 */
export async function withTenantKeyLock<T>(
  context: Context,
  key: string,
  {
    others,
    allowUnknownTables,
    work,
  }: { others: string; allowUnknownTables: boolean; work: (shared: DedicatedDatabase) => Promise<T> },
): Promise<T> {
  const { tenantDatabases } = context.shared
  const shared = await tenantDatabases.openDedicated(tenantDatabases.sharedTarget, allowUnknownTables)
  try {
    const done = await runLocked(shared.database, shared.name, key, () => work(shared))
    if (done === null) throw new ServiceError('conflict', `Another process is ${others} a tenant.`)
    return done.value
  } finally {
    await shared.database.close()
  }
}
