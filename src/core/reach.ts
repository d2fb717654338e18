/** Finds a caller's access ("reach") to rows and members that have access rules. */
import { RowReach } from '../database/row-reach.ts'
import type { RowRules, RuleCaller } from '../database/row-rule.ts'
import { noActorId, userIdOf } from './actor.ts'
import type { Actor, Context } from './context.ts'
import type { PresentOwner } from './owner.ts'
import type { Permission, PermissionSet } from './permission.ts'

/** @returns the access of the actor of a context; `null` if no rule applies */
export function reachOf({
  shared,
  authority,
  actor,
}: Pick<Context, 'shared' | 'authority' | 'actor'>): RowReach | null {
  const { rowRules, hidesMembers } = shared
  if (authority === 'tenant' || (rowRules.size === 0 && !hidesMembers)) return null
  return new RowReach(rowRules, callerOf(actor), hidesMembers)
}

/** @returns the access of an actor by the rules, even in a context in which they do not apply */
export function reachOfActor(rules: RowRules, actor: Actor | null): RowReach {
  return new RowReach(rules, callerOf(actor))
}

/** @returns the access of an owner of webhook subscriptions and rules */
export function reachOfOwner(rules: RowRules, owner: PresentOwner): RowReach {
  const { id, userId, attributes, permissions } = owner
  return new RowReach(rules, {
    id: userId,
    actorId: id,
    customer: null,
    attribute: (name) => attributes.values(name),
    may: (permission) => permissions.has(permission as Permission), // a rule names one
  })
}

/**
 * @returns the access of the customer for whom a webhook portal is open. No permission gives it all rows of a table.
 */
export function reachOfCustomer(rules: RowRules, customer: string, permissions: PermissionSet): RowReach {
  const reachAll = new Set([...rules.values()].map(({ all }) => all))
  const may = (permission: string) => !reachAll.has(permission) && permissions.has(permission as Permission) // a rule names one
  return new RowReach(rules, { ...nobody, customer, may })
}

/**
 * @returns the id of the actor's user or API key, which files and versions of rows record; `null` for others, such as a
 *   job of a feature
 */
export function actorIdOf(actor: Actor | null): string | null {
  if (actor === null || actor.id === noActorId) return null
  const { kind } = actor.credential
  return kind === 'session' || kind === 'apiKey' || kind === 'job' ? actor.id : null
}

const nobody: RuleCaller = {
  id: null,
  actorId: null,
  customer: null,
  attribute: () => [],
  may: () => false,
}

function callerOf(actor: Actor | null): RuleCaller {
  if (actor === null) return nobody
  return {
    id: userIdOf(actor),
    actorId: actorIdOf(actor),
    customer: actor.credential.kind === 'portal' ? actor.credential.customer : null,
    attribute: (name) => actor.attributes.values(name),
    may: (permission) => actor.permissions.has(permission as Permission), // a rule names one
  }
}
