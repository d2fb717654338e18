/**
 * Checks the deliveries in the archive of a tenant, before they are imported. The tenants of a database share its
 * queue: a forged queue key would concern another tenant.
 */
import { ServiceError } from '../../core/errors.ts'
import type { TenantData } from '../../database/data.ts'
import { findForeignDelivery } from './queue/sql.ts'

/**
 * @param data the rows of the archive
 * @throws ServiceError `invalid` for a delivery with an invalid queue key or due time
 */
export async function refuseForeignDeliveries(data: TenantData): Promise<void> {
  const id = await findForeignDelivery(data)
  if (id === null) return
  throw new ServiceError('invalid', `The delivery ${id} in the archive has an invalid queue key or due time.`)
}
