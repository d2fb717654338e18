/** Restricts portal sessions to the subscriptions of their customer, and to the events that they were given. */
import type { Context } from '../../core/context.ts'
import type { PortalCredential } from '../../core/credential.ts'
import { refusal } from '../../core/errors.ts'

/**
 * @returns the only customer whose subscriptions the actor may see; `null` if the
 *   actor is not limited to a customer
 */
export function customerOf({ actor }: Context): string | null {
  return actor?.credential.kind === 'portal' ? actor.credential.customer : null
}

/**
 * The customer of a new or changed subscription.
 * @param given `undefined` when the caller names none
 * @throws ServiceError `forbidden` for another customer than that of the portal session
 */
export function customerFor(
  context: Context,
  given: string | null | undefined,
  before: string | null,
): string | null {
  const own = customerOf(context)
  if (own === null) return given === undefined ? before : given
  if (given === undefined || given === own) return own
  throw refusal('subscriptionOfCustomer')
}

/**
 * Refuses events that the portal session was not given.
 * @param before events that the subscription has already @throws ServiceError `forbidden`
 */
export function refuseForeignEvents(
  { actor }: Context,
  events: readonly string[],
  before: readonly string[] = [],
): void {
  if (actor?.credential.kind !== 'portal') return
  const { events: allowed } = actor.credential
  const foreign = events.filter((event) => !before.includes(event) && !isAllowed(allowed, event))
  if (foreign.length > 0) throw refusal('eventsBeyondPortal', { events: foreign.join(', ') })
}

function isAllowed(patterns: PortalCredential['events'], event: string): boolean {
  if (patterns === null || patterns.includes('*') || patterns.includes(event)) return true
  const [noun = ''] = event.split('.')
  return event !== '*' && patterns.includes(`${noun}.*`)
}
