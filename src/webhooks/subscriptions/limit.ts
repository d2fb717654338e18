/** Limits the subscriptions of a tenant, and those of one of its customers in the embedded portal. */
import type { Context } from '../../core/context.ts'
import { refusal } from '../../core/errors.ts'
import { customerOf } from './portal.ts'
import { subscriptionsInReach } from './reach.ts'
import { countSubscriptions } from './sql.ts'

/** The most subscriptions of one tenant. Each event may become a delivery for each of them. */
export const maxSubscriptions = 100
/** The most subscriptions of one customer, so that no customer uses up the subscriptions of the tenant. */
const maxOfCustomer = 10

/** Inside a transaction that keeps others from adding subscriptions (`lockEvents`). @throws ServiceError `invalid` */
export async function refuseTooMany(inside: Context): Promise<void> {
  if ((await countSubscriptions(inside.data)) >= maxSubscriptions)
    throw refusal('tooManySubscriptions', { limit: maxSubscriptions })
  if (customerOf(inside) === null) return
  const own = await subscriptionsInReach(inside)
  if (own !== null && own.length >= maxOfCustomer)
    throw refusal('tooManySubscriptionsOfCustomer', { limit: maxOfCustomer })
}
