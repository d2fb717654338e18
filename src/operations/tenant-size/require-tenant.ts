import { type Context, hostTenantId, type Tenant } from '../../core/context.ts'
import { refusal, ServiceError } from '../../core/errors.ts'
import { lookUpTenant } from '../../core/tenant/directory.ts'

/** @throws ServiceError `forbidden` outside of the host, `notFound` */
export async function requireTenant(context: Context, id: string): Promise<Tenant> {
  if (context.actor?.tenantId !== hostTenantId) throw new ServiceError('forbidden')
  const tenant = await lookUpTenant(context, id)
  if (tenant === null) throw refusal('noSuch', { label: 'tenant' })
  return tenant
}
