/** Deliveries of an archive: the queue is of all tenants. */

import { ServiceError } from '../../../core/errors.ts'
import type { TenantData } from '../../../database/data.ts'
import { findForeignDelivery } from './sql.ts'

/** @param data of an archive @throws ServiceError `invalid` for a delivery with a foreign queue key */
export async function refuseForeignDeliveries(data: TenantData): Promise<void> {
  const id = await findForeignDelivery(data)
  if (id === null) return
  throw new ServiceError('invalid', `The delivery ${id} in it does not wait where its own deliveries do.`)
}
