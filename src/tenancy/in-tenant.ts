import type { Context } from '../core/context.ts'
import { forTenant } from '../core/create-context.ts'
import { refusal } from '../core/errors.ts'
import { lookUpTenant } from '../core/tenant/directory.ts'
import { withTenantDatabase } from '../core/tenant/with-database.ts'

/**
 * Runs the work with the same caller in another tenant, whose database stays open until it ends.
 * @throws ServiceError `notFound`, `unavailable` while the database of the tenant cannot be reached
 */
export async function inTenant<T>(
  context: Context,
  id: string,
  work: (inside: Context) => Promise<T>,
): Promise<T> {
  const tenant = await lookUpTenant(context, id)
  if (tenant === null || tenant.isBeingErased) throw refusal('noSuch', { label: 'tenant' })
  return withTenantDatabase(context.shared, tenant, (database) => work(forTenant(context, tenant, database)))
}
