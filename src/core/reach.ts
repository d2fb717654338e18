/** What a caller reaches of the tables that have rules of rows. */
import { RowReach, type RuleCaller } from '../database/row-rule.ts'
import { userIdOf } from './actor.ts'
import type { Actor, Context } from './context.ts'
import type { Permission } from './permission.ts'

/** @returns `null`: every row */
export function reachOf({
  shared,
  authority,
  actor,
}: Pick<Context, 'shared' | 'authority' | 'actor'>): RowReach | null {
  if (authority === 'tenant' || shared.rowRules.size === 0) return null
  return new RowReach(shared.rowRules, callerOf(actor))
}

const nobody: RuleCaller = { id: null, attribute: () => [], may: () => false }

function callerOf(actor: Actor | null): RuleCaller {
  if (actor === null) return nobody
  return {
    id: userIdOf(actor),
    attribute: (name) => actor.attributes.values(name),
    may: (permission) => actor.permissions.has(permission as Permission), // a rule names one
  }
}
