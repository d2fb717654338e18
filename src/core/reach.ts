/** What a caller reaches of the tables that have rules of rows, or of fields. */
import { RowReach, type RuleCaller } from '../database/row-rule.ts'
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

const nobody: RuleCaller = { id: null, attribute: () => [], may: () => false }

function callerOf(actor: Actor | null): RuleCaller {
  if (actor === null) return nobody
  return {
    id: actor.credential.kind === 'session' ? actor.id : null,
    attribute: () => [],
    may: (permission) => actor.permissions.has(permission as Permission), // a rule names one
  }
}
