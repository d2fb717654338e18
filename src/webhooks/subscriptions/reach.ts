/**
 * The subscriptions that an actor may see and change: administrators all of the tenant, other users those that they
 * own, and a session of the embedded portal those of its customer.
 */
import { isAdmin } from '../../core/actor.ts'
import type { Context } from '../../core/context.ts'
import { ownerOf } from '../../core/ownership.ts'
import { customerOf } from './portal.ts'
import { type Reach, type SubscriptionRow, subscriptionIds } from './sql.ts'

export function reachOf(context: Context): Reach {
  const { actor } = context
  if (actor?.credential.kind === 'portal') {
    const customer = customerOf(context)
    return customer === null ? 'all' : { customer } // a permission of administrators opens the portal for all customers
  }
  const owner = ownerOf(actor)
  return isAdmin(actor) || owner === null ? 'all' : { owner }
}

export function isInReach(
  context: Context,
  { customer, owner }: Pick<SubscriptionRow, 'customer' | 'owner'>,
): boolean {
  const reach = reachOf(context)
  if (reach === 'all') return true
  return 'owner' in reach ? reach.owner === owner : reach.customer === customer
}

/** @returns the ids of the subscriptions that the actor may see; `null` for all of the tenant */
export async function subscriptionsInReach(context: Context): Promise<string[] | null> {
  const reach = reachOf(context)
  return reach === 'all' ? null : subscriptionIds(context.data, reach)
}
