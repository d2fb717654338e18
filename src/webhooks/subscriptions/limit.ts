/** How many subscriptions a tenant has, and one of its customers in the embedded portal. */
import type { Context } from '../../core/context.ts'
import { refusal } from '../../core/errors.ts'
import { customerOf } from './portal.ts'
import { subscriptionsInReach } from './reach.ts'
import { countSubscriptions } from './sql.ts'

/** Per tenant: each event may become a delivery for every subscription. */
export const maxSubscriptions = 100
/** One customer cannot use up what the tenant may have. */
const maxOfCustomer = 10

/** Inside a transaction that has locked the events. @throws ServiceError `invalid` */
export async function refuseTooMany(inside: Context): Promise<void> {
  if ((await countSubscriptions(inside.data)) >= maxSubscriptions)
    throw refusal('tooManySubscriptions', { limit: maxSubscriptions })
  if (customerOf(inside) === null) return
  const own = await subscriptionsInReach(inside)
  if (own !== null && own.length >= maxOfCustomer)
    throw refusal('tooManySubscriptionsOfCustomer', { limit: maxOfCustomer })
}
