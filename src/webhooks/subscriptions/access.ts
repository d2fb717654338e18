/** Restricts the events of a subscription to those that the user who chose them may see. */
import { type Actor, type Context, isAdmin } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { type EventAccess, type EventTypes, patternsFor } from '../../core/events/event-type.ts'
import type { SubscriptionRow } from './sql.ts'

type Access = Pick<SubscriptionRow, 'access'>

/** The events that an actor may see. */
export function accessOf(actor: Actor | null): EventAccess {
  return isAdmin(actor) ? 'admin' : 'user'
}

/**
 * `*` and `user.*` select those events that the actor may see; a name selects that event.
 * @param before `null` for a new subscription. One with events for administrators stays one, because deliveries of such
 *   events may be waiting.
 * @throws ServiceError `forbidden`
 */
export function accessFor(
  { actor, shared: { eventTypes } }: Context,
  events: readonly string[],
  before: Access | null,
): EventAccess {
  const forbidden = events.filter((name) => eventTypes.accessOf(name) === 'admin')
  if (accessOf(actor) === 'admin')
    return before?.access === 'admin' || includesAdminEvents(events, eventTypes) ? 'admin' : 'user'
  if (forbidden.length === 0) return 'user'
  throw new ServiceError('forbidden', `Only an administrator may subscribe to ${forbidden.join(', ')}.`)
}

/** Only administrators change subscriptions that get events for administrators. @throws ServiceError `forbidden` */
export function refuseUnlessTrusted({ actor }: Context, { access }: Access): void {
  if (access !== 'admin' || accessOf(actor) === 'admin') return
  const text = 'Only an administrator may do this: the subscription gets events for administrators.'
  throw new ServiceError('forbidden', text)
}

function includesAdminEvents(events: readonly string[], eventTypes: EventTypes): boolean {
  return eventTypes.forAdmins.some((type) => patternsFor(type).some((pattern) => events.includes(pattern)))
}
