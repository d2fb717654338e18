/** What a caller reaches of the tables that have rules of rows, or of fields. */
import { RowReach } from '../database/row-reach.ts'
import type { RuleCaller } from '../database/row-rule.ts'
import { userIdOf } from './actor.ts'
import type { Actor, Context } from './context.ts'
import type { Permission } from './permission.ts'

/** @returns `null`: every row */
export function reachOf({
  shared,
  authority,
  actor,
}: Pick<Context, 'shared' | 'authority' | 'actor'>): RowReach | null {
  const { rowRules, hidesMembers } = shared
  if (authority === 'tenant' || (rowRules.size === 0 && !hidesMembers)) return null
  return new RowReach(rowRules, callerOf(actor), hidesMembers)
}

/** @returns the id of a user or an API key, as which it uploads files and reaches them */
export function actorIdOf(actor: Actor | null): string | null {
  const kind = actor?.credential.kind
  return kind === 'session' || kind === 'apiKey' || kind === 'job' ? (actor?.id ?? null) : null
}

const nobody: RuleCaller = { id: null, actorId: null, attribute: () => [], may: () => false }

function callerOf(actor: Actor | null): RuleCaller {
  if (actor === null) return nobody
  return {
    id: userIdOf(actor),
    actorId: actorIdOf(actor),
    attribute: (name) => actor.attributes.values(name),
    may: (permission) => actor.permissions.has(permission as Permission), // a rule names one
  }
}
