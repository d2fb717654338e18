/**
 * Checks the number of subscriptions in the archive of a tenant, before they are imported: the dispatcher of events
 * reads the subscriptions of all tenants of a database.
 */
import { ServiceError } from '../../core/errors.ts'
import type { TenantData } from '../../database/data.ts'
import { maxSubscriptions } from './limit.ts'
import { countSubscriptions } from './sql.ts'

/** @param data the rows of the archive @throws ServiceError `invalid` for too many subscriptions */
export async function refuseForeignSubscriptions(data: TenantData): Promise<void> {
  if ((await countSubscriptions(data)) > maxSubscriptions)
    throw new ServiceError('invalid', `The archive has more than ${maxSubscriptions} subscriptions.`)
}
