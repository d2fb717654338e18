/** Restricts the events of a subscription to those that its owner may see, when they are chosen and when they happen. */
import type { Context } from '../../core/context.ts'
import type { PortalCredential } from '../../core/credential.ts'
import { refusal, type ServiceError } from '../../core/errors.ts'
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
import type { PermissionSet, Permissions } from '../../core/permission.ts'
import { reachOfActor, reachOfCustomer, reachOfOwner } from '../../core/reach.ts'
import type { RowReach } from '../../database/row-reach.ts'
import type { RowRules } from '../../database/row-rule.ts'
import type { SubscriptionRow } from './sql.ts'

type Access = Pick<SubscriptionRow, 'access'>

/** What an actor may see of events at present. */
export interface Sight {
  rights: Rights
  /** The types of which the subscription sees no event. */
  hidden: readonly string[]
  /** The types of which the subscription sees only the events of rows in reach. */
  byRow: readonly string[]
  /** The subscription sees such a row only if each of these reaches it. */
  reach: readonly RowReach[]
}

/** @throws DatabaseUnavailable */
export async function sightOf(context: Context): Promise<Sight> {
  const { actor, shared } = context
  if (actor?.credential.kind === 'portal') return sightOfPortal(context, actor.credential)
  const rights = rightsOf(actor)
  const { eventTypes, rowRules } = shared
  const hidden = eventTypes.hiddenFrom(rights)
  return { rights, hidden, byRow: eventTypes.byRowFor(rights), reach: [reachOfActor(rowRules, actor)] }
}

/**
 * A session of the portal sees what both every user and its maker see, and of rows with rules those that both its customer
 * and its maker reach. For all customers it sees no event of such rows.
 */
async function sightOfPortal(
  { actor, shared, tenant }: Context,
  { customer }: PortalCredential,
): Promise<Sight> {
  const { eventTypes, rowRules, permissions } = shared
  const owned = { tenantId: tenant.id, owner: ownerOf(actor) }
  const maker = await withOwnerRights(shared, async (known) => {
    known.require([owned])
    return known.of(owned)
  })
  const users = rightsOfUsers(permissions, tenant.id).permissions
  const has: Rights['permissions']['has'] = (name) => users.has(name) && maker?.permissions.has(name) === true
  const rights = { isAdmin: false, permissions: { has } }
  const hidden = eventTypes.hiddenFrom(rights)
  if (customer === null || maker === null)
    return { rights, hidden: [...new Set([...hidden, ...eventTypes.ruled])], byRow: [], reach: [] }
  const byRow = eventTypes.ruled.filter((type) => !hidden.includes(type))
  return { rights, hidden, byRow, reach: reachOfBoth(rowRules, maker, { customer, users }) }
}

/** What an owner reaches, and the customer for whom it acts. */
export function reachOfBoth(
  rules: RowRules,
  owner: PresentOwner,
  { customer, users }: { customer: string | null; users: PermissionSet },
): readonly RowReach[] {
  const own = reachOfOwner(rules, owner)
  return customer === null ? [own] : [own, reachOfCustomer(rules, customer, users)]
}

/**
 * `*` and `user.*` select those events that the owner may see; a name selects that event.
 * @param before `null` for a new subscription. One with events that not every user may see stays one, because deliveries
 *   of such events may be waiting.
 * @throws ServiceError `forbidden`
 */
export function accessFor(
  { shared: { eventTypes, permissions }, tenant }: Context,
  events: readonly string[],
  { sight: { rights, hidden }, before }: { sight: Sight; before: Access | null },
): 'user' | 'admin' {
  const forbidden = events.filter((name) => hidden.includes(name))
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
 * @throws ServiceError `forbidden`
 */
export function refuseUnlessTrusted(
  { actor, shared: { eventTypes, permissions }, tenant }: Context,
  { access, events }: Pick<SubscriptionRow, 'access' | 'events'>,
  { hidden }: Sight,
): void {
  if (actor?.credential.kind !== 'portal') return
  if (access === 'admin') throw refusal('subscriptionOfAdmin')
  const users = rightsOfUsers(permissions, tenant.id)
  const beyondMaker = hidden.filter((type) => eventTypes.isVisibleInPart(type, users))
  const [foreign] = selectedBy(JSON.parse(events) as string[], beyondMaker) // written from a validated list
  if (foreign === undefined) return
  throw refusal('subscriptionBeyondPortal', { event: foreign })
}

/** @returns those of the types that a subscription with these events gets */
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

export type OwnedSubscription = { tenantId: string } & Pick<SubscriptionRow, 'owner' | 'access' | 'customer'>

/**
 * Whether a subscription gets events of a type.
 * @returns `gone` when its owner is, without whom nobody vouches for it; `byRow` when rules of rows decide of each event
 */
export function verdictFor(
  type: string,
  subscriber: OwnedSubscription,
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

/**
 * Decides by whose rights a subscription gets events: by those of its owner or, without an owner, by those of the users
 * for whom its events were chosen.
 */
export function ownerFor(
  { owner, access, tenantId }: OwnedSubscription,
  { permissions, rights }: AccessParts,
): PresentOwner | null {
  const isOfUsers = owner === null && access !== 'admin'
  return isOfUsers ? anonymousOwner(rightsOfUsers(permissions, tenantId)) : rights.of({ tenantId, owner })
}

function noAccess(eventTypes: EventTypes, names: readonly string[]): ServiceError {
  const forAdmins = names.filter((name) => eventTypes.leastAccessOf(name) === 'admin')
  if (forAdmins.length > 0) return refusal('subscribingNeedsAdmin', { events: forAdmins.join(', ') })
  const required = [...new Set(names.map((name) => eventTypes.leastAccessOf(name)))].join(', ')
  return refusal('subscribingNeedsPermission', { events: names.join(', '), permission: required })
}
