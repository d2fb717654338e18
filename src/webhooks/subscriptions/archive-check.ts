/** Checks the subscriptions of an archive: the dispatcher reads those of all tenants. */
import { ServiceError } from '../../core/errors.ts'
import { inputReader } from '../../core/schema/input.ts'
import type { TenantData } from '../../database/data.ts'
import { maxSubscriptions } from './limit.ts'
import { SubscriptionInput } from './schema.ts'
import { countSubscriptions, subscriptionPage } from './sql.ts'

const read = inputReader(SubscriptionInput)

/**
 * @param data of an archive
 * @throws ServiceError `invalid` for one that this service would not accept, or for too many
 */
export async function refuseForeignSubscriptions(data: TenantData): Promise<void> {
  if ((await countSubscriptions(data)) > maxSubscriptions)
    throw new ServiceError('invalid', `The archive has more than ${maxSubscriptions} subscriptions.`)
  for (const { id, url, events, retry_seconds } of await subscriptionPage(
    data,
    { after: '', limit: maxSubscriptions },
    'all',
  )) {
    try {
      const retrySeconds: unknown = JSON.parse(retry_seconds ?? 'null')
      read({ url, events: JSON.parse(events), retrySeconds })
    } catch (error) {
      throw new ServiceError('invalid', `The subscription ${id} in the archive cannot be read.`, {
        cause: error,
      })
    }
  }
}
