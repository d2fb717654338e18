/** Locks a tenant for an operation such as a move, so that no other process runs one on it at the same time. */
import { type Context, type DedicatedDatabase, hostTenantId, type Tenant } from '../core/context.ts'
import { refusal, ServiceError } from '../core/errors.ts'
import { registry } from '../core/tenant/directory.ts'
import { findTenant } from '../core/tenant/sql.ts'
import { foldTenantId } from '../core/tenant/tenant-id.ts'
import { runLocked } from './rows/lock.ts'

interface Task<T> {
  /** The message for the host tenant, which cannot be moved or erased. */
  refusal: string
  /** Accepts a shared database with tables of features that this process does not have. */
  allowUnknownTables: boolean
  /** @param shared a dedicated handle of the shared database */
  work(tenant: Tenant, shared: DedicatedDatabase): Promise<T>
}

/** Another process holds the lock: unlike after other conflicts, a retry may succeed. */
export class TenantLocked extends ServiceError {
  /** @param others the operations of other processes */
  constructor(others: string) {
    super('conflict', `Another process is ${others} a tenant.`)
  }
}

/**
 * Runs an operation on a tenant, such as a move, under a lock that other processes respect.
 * @throws ServiceError `notFound`, `invalid` for the host tenant, `conflict` while another process holds the lock
 */
export async function withTenantLock<T>(context: Context, id: string, task: Task<T>): Promise<T> {
  const key = foldTenantId(id)
  const tenant = await findTenant(registry(context), key)
  if (tenant === null) throw refusal('noSuch', { label: 'tenant' })
  if (tenant.id === hostTenantId) throw new ServiceError('invalid', task.refusal)
  return withTenantKeyLock(context, key, {
    others: 'moving or erasing',
    allowUnknownTables: task.allowUnknownTables,
    work: (shared) => task.work(tenant, shared),
  })
}

/**
 * Like `withTenantLock`, for a tenant that need not exist.
 * @param key the case-folded id
 * @param others the operations of other processes, for the message
 * @throws ServiceError `conflict`
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
  await using shared = await tenantDatabases.openDedicated(tenantDatabases.sharedTarget, {
    allowUnknownTables,
  })
  const done = await runLocked(shared.database, shared.name, key, () => work(shared))
  if (done === null) throw new TenantLocked(others)
  return done.value
}
