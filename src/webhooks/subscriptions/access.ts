/** Restricts the events of a subscription to those that its owner may see, when they are chosen and when they happen. */
import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { type EventTypes, patternsFor } from '../../core/events/event-type.ts'
import {
  anonymousOwner,
  type OwnerRights,
  type PresentOwner,
  type Rights,
  rightsOfUsers,
  withOwnerRights,
} from '../../core/owner.ts'
import { ownerOf, rightsOf } from '../../core/ownership.ts'
import type { Permissions } from '../../core/permission.ts'
import type { RowRules } from '../../database/row-rule.ts'
import type { SubscriptionRow } from './sql.ts'

type Access = Pick<SubscriptionRow, 'access'>

/**
 * What the actor may see at present. A session of the portal sees what both every user and its maker see.
 * @throws DatabaseUnavailable
 */
export async function visibleRights({ actor, shared, tenant }: Context): Promise<Rights> {
  if (actor?.credential.kind !== 'portal') return rightsOf(actor)
  const maker = { tenantId: tenant.id, owner: ownerOf(actor) }
  const rights = await withOwnerRights(shared, async (known) => {
    known.require([maker])
    return known.of(maker)
  })
  const users = rightsOfUsers(shared.permissions, tenant.id).permissions
  const has: Rights['permissions']['has'] = (name) =>
    users.has(name) && rights?.permissions.has(name) === true
  return { isAdmin: false, permissions: { has } }
}

/** The types of events that the actor may not see. */
export async function hiddenTypes(context: Context): Promise<readonly string[]> {
  return context.shared.eventTypes.hiddenFrom(await visibleRights(context))
}

/**
 * `*` and `user.*` select those events that the owner may see; a name selects that event.
 * @param rights of the actor, by `visibleRights`
 * @param before `null` for a new subscription. One with events that not every user may see stays one, because deliveries
 *   of such events may be waiting.
 * @throws ServiceError `forbidden`
 */
export function accessFor(
  { shared: { eventTypes, permissions }, tenant }: Context,
  events: readonly string[],
  { rights, before }: { rights: Rights; before: Access | null },
): 'user' | 'admin' {
  const hidden = new Set(eventTypes.hiddenFrom(rights))
  const forbidden = events.filter((name) => hidden.has(name))
  if (forbidden.length > 0) throw noAccess(eventTypes, forbidden)
  const users = rightsOfUsers(permissions, tenant.id)
  const beyondUsers = eventTypes
    .list()
    .map(([type]) => type)
    .filter(
      (type) =>
        (eventTypes.isVisible(type, rights) && !eventTypes.isVisible(type, users)) ||
        (eventTypes.isVisibleInPart(type, rights) && !eventTypes.isVisibleInPart(type, users)),
    )
  return before?.access === 'admin' || selectedBy(events, beyondUsers).length > 0 ? 'admin' : 'user'
}

/**
 * Sessions of the portal do not change subscriptions that get more than every user, or than their maker, may see: they
 * could have it sent to themselves.
 * @param rights of the actor, by `visibleRights`
 * @throws ServiceError `forbidden`
 */
export function refuseUnlessTrusted(
  { actor, shared: { eventTypes, permissions }, tenant }: Context,
  { access, events }: Pick<SubscriptionRow, 'access' | 'events'>,
  rights: Rights,
): void {
  if (actor?.credential.kind !== 'portal') return
  if (access === 'admin') {
    const text = 'Only an administrator may do this: the subscription gets events for administrators.'
    throw new ServiceError('forbidden', text)
  }
  const users = rightsOfUsers(permissions, tenant.id)
  const beyondMaker = eventTypes.hiddenFrom(rights).filter((type) => eventTypes.isVisible(type, users))
  const [foreign] = selectedBy(JSON.parse(events) as string[], beyondMaker) // written from a validated list
  if (foreign === undefined) return
  const text = `The subscription gets ${foreign}, which whoever opened this portal session may not see.`
  throw new ServiceError('forbidden', text)
}

/** Those of the types that a subscription with these events gets. */
function selectedBy(events: readonly string[], types: readonly string[]): string[] {
  return types.filter((type) => patternsFor(type).some((pattern) => events.includes(pattern)))
}

/** What is asked whether a subscription gets an event. */
export interface AccessParts {
  eventTypes: EventTypes
  permissions: Permissions
  rowRules: RowRules
  rights: OwnerRights
}

export type Subscriber = { tenantId: string } & Pick<SubscriptionRow, 'owner' | 'access' | 'customer'>

/**
 * Whether a subscription gets events of a type.
 * @returns `gone` when its owner is, without whom nobody vouches for it; `byRow` when rules of rows decide of each event
 */
export function verdictFor(
  type: string,
  subscriber: Subscriber,
  parts: AccessParts,
): 'allowed' | 'byRow' | 'forbidden' | 'gone' {
  const { eventTypes, permissions } = parts
  const users = rightsOfUsers(permissions, subscriber.tenantId)
  if (subscriber.access !== 'admin' && !eventTypes.isVisibleInPart(type, users)) return 'forbidden'
  const owner = ownerFor(subscriber, parts)
  if (owner === null) return 'gone'
  if (!eventTypes.isVisibleInPart(type, owner)) return 'forbidden'
  const isOfCustomer = subscriber.customer !== null && eventTypes.rowsOf(type) !== null
  return isOfCustomer || !eventTypes.isVisible(type, owner) ? 'byRow' : 'allowed'
}

/** By whose rights a subscription gets events: without an owner, by those for whom its events were chosen. */
export function ownerFor(
  { owner, access, tenantId }: Subscriber,
  { permissions, rights }: AccessParts,
): PresentOwner | null {
  const isOfUsers = owner === null && access !== 'admin'
  return isOfUsers ? anonymousOwner(rightsOfUsers(permissions, tenantId)) : rights.of({ tenantId, owner })
}

function noAccess(eventTypes: EventTypes, names: readonly string[]): ServiceError {
  const forAdmins = names.filter((name) => eventTypes.leastAccessOf(name) === 'admin')
  if (forAdmins.length > 0)
    return new ServiceError('forbidden', `Only an administrator may subscribe to ${forAdmins.join(', ')}.`)
  const required = [...new Set(names.map((name) => eventTypes.leastAccessOf(name)))].join(', ')
  return new ServiceError(
    'forbidden',
    `Subscribing to ${names.join(', ')} requires the permission ${required}.`,
  )
}
