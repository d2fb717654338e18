/**
 * Restricts the events of a subscription to those that its owner may see, when they
 * are chosen and when they happen.
 */
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
  /** The types of events of which the actor may see none. */
  hidden: readonly string[]
  /** The types of events that the actor may see only for rows that it may read. */
  byRow: readonly string[]
  /** Decide which rows: each of them must permit the row. */
  reach: readonly RowReach[]
}

/** @returns what the actor may see of events at present @throws DatabaseUnavailable */
export async function sightOf(context: Context): Promise<Sight> {
  const { actor, shared } = context
  if (actor?.credential.kind === 'portal') return sightOfPortal(context, actor.credential)
  const rights = rightsOf(actor)
  const { eventTypes, rowRules } = shared
  const hidden = eventTypes.hiddenFrom(rights)
  return { rights, hidden, byRow: eventTypes.byRowFor(rights), reach: [reachOfActor(rowRules, actor)] }
}

/**
 * A portal session sees the events that both every user and the owner of the session may see. Where rules limit who
 * may read rows, both its customer and the owner must be allowed to read the row. A session for all customers sees
 * no event of such rows.
 */
async function sightOfPortal(
  { actor, shared, tenant }: Context,
  { customer }: PortalCredential,
): Promise<Sight> {
  const { eventTypes, rowRules, permissions } = shared
  const owned = { tenantId: tenant.id, owner: ownerOf(actor) }
  const sessionOwner = await withOwnerRights(shared, async (ownerRights) => {
    ownerRights.require([owned])
    return ownerRights.of(owned)
  })
  const users = rightsOfUsers(permissions, tenant.id).permissions
  const has: Rights['permissions']['has'] = (name) =>
    users.has(name) && sessionOwner?.permissions.has(name) === true
  const rights = { isAdmin: false, permissions: { has } }
  const hidden = eventTypes.hiddenFrom(rights)
  if (customer === null || sessionOwner === null)
    return { rights, hidden: [...new Set([...hidden, ...eventTypes.ruled])], byRow: [], reach: [] }
  const byRow = eventTypes.ruled.filter((type) => !hidden.includes(type))
  return { rights, hidden, byRow, reach: reachOfBoth(rowRules, sessionOwner, { customer, users }) }
}

/** The rows that an owner may read, and those of the customer for whom it acts: a row must be among both. */
export function reachOfBoth(
  rules: RowRules,
  owner: PresentOwner,
  { customer, users }: { customer: string | null; users: PermissionSet },
): readonly RowReach[] {
  const own = reachOfOwner(rules, owner)
  return customer === null ? [own] : [own, reachOfCustomer(rules, customer, users)]
}

/**
 * Decides whether a subscription gets events that not every user may see (`admin`), and refuses events that the actor
 * may not see. Patterns such as `*` and `user.*` select only the events that the owner may see.
 * @param before `null` for a new subscription. A change from `admin` to `user` is not possible, because deliveries of
 *   such events may be waiting.
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
 * Portal sessions may not change a subscription that gets events which not every user, or not the owner of the
 * session, may see: they could have such events sent to themselves.
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
  const beyondOwner = hidden.filter((type) => eventTypes.isVisibleInPart(type, users))
  const [foreign] = selectedBy(JSON.parse(events) as string[], beyondOwner) // written from a validated list
  if (foreign === undefined) return
  throw refusal('subscriptionBeyondPortal', { event: foreign })
}

/** @returns the types among `types` that a subscription with these patterns gets */
function selectedBy(events: readonly string[], types: readonly string[]): string[] {
  return types.filter((type) => patternsFor(type).some((pattern) => events.includes(pattern)))
}

/** What decides whether a subscription gets an event. */
export interface AccessParts {
  eventTypes: EventTypes
  permissions: Permissions
  rowRules: RowRules
  rights: OwnerRights
}

export type OwnedSubscription = { tenantId: string } & Pick<SubscriptionRow, 'owner' | 'access' | 'customer'>

/**
 * Whether a subscription gets events of a type.
 * @returns `gone` when its owner was deleted, deactivated or revoked; `byRow` when the row of each event decides
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
 * Decides by whose rights a subscription gets events: by those of its owner or, without an owner, by those of the
 * users for whom its events were chosen.
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
