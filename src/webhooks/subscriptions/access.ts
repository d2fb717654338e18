/** Which events a subscription may get: those that the user who chose its events may see. */
import type { Actor, Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { type EventAccess, type EventTypes, patternsFor } from '../../core/events/event-type.ts'
import type { SubscriptionRow } from './sql.ts'

type Access = Pick<SubscriptionRow, 'access'>

/** Which events an actor may see. */
export function accessOf(actor: Actor | null): EventAccess {
  return actor?.roles.includes('Admin') === true ? 'admin' : 'user'
}

/**
 * `*` and `user.*` mean those of the events that the actor may see; a name means that event.
 * @param before `null` for a new one. A subscription for administrators' events stays one when another changes it:
 *   deliveries of such events may still wait.
 * @throws ServiceError `forbidden`
 */
export function accessFor(
  { actor, shared: { eventTypes } }: Context,
  events: readonly string[],
  before: Access | null,
): EventAccess {
  const unseen = events.filter((name) => eventTypes.accessOf(name) === 'admin')
  if (accessOf(actor) === 'admin')
    return before?.access === 'admin' || wantsMore(events, eventTypes) ? 'admin' : 'user'
  if (unseen.length === 0) return 'user'
  throw new ServiceError('forbidden', `Only an administrator may subscribe to ${unseen.join(', ')}.`)
}

/** Only administrators choose where events for administrators go. @throws ServiceError `forbidden` */
export function refuseUnlessTrusted({ actor }: Context, { access }: Access): void {
  if (access !== 'admin' || accessOf(actor) === 'admin') return
  const text = 'Only an administrator may do this: the subscription gets events for administrators.'
  throw new ServiceError('forbidden', text)
}

function wantsMore(events: readonly string[], eventTypes: EventTypes): boolean {
  return eventTypes.forAdmins.some((type) => patternsFor(type).some((pattern) => events.includes(pattern)))
}
