/** Checks the subscriptions of an archive: the dispatcher reads those of all tenants. */
import { ServiceError } from '../../core/errors.ts'
import type { TenantData } from '../../database/data.ts'
import { maxSubscriptions } from './limit.ts'
import { countSubscriptions } from './sql.ts'

/** @param data of an archive @throws ServiceError `invalid` for too many */
export async function refuseForeignSubscriptions(data: TenantData): Promise<void> {
  if ((await countSubscriptions(data)) > maxSubscriptions)
    throw new ServiceError('invalid', `The archive has more than ${maxSubscriptions} subscriptions.`)
}
