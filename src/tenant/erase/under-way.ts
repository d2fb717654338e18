import type { Tenant } from '../../context.ts'
import { ServiceError } from '../../errors.ts'

/** There is nothing to go back to. @throws ServiceError `conflict` */
export function refuseWhileErased(tenant: Tenant): void {
  if (tenant.isBeingErased) throw new ServiceError('conflict', 'The tenant is being erased.')
}
