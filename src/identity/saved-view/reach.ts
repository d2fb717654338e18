/**
 * Decides who sees and who changes a view. Row rules, which decide this for other rows, do not suffice: they compare
 * users and attributes, but not roles.
 */
import { userIdOf } from '../../core/actor.ts'
import type { Actor, Context } from '../../core/context.ts'
import { unauthorized } from '../../core/errors.ts'
import { isPermission } from '../../core/permission.ts'
import { foldRoleName } from '../role/grant.ts'
import type { ViewRow } from './sql.ts'

export const sharePermission = 'view:share'

export function callerOf({ actor }: Context): Actor {
  if (actor === null) throw unauthorized('noToken')
  return actor
}

/**
 * Whether the caller sees the view: its owner does, users with whom it is shared, and users who may share views. All of
 * them must be allowed to read the entity.
 */
export function seesView(context: Context, row: ViewRow): boolean {
  const actor = callerOf(context)
  return readsEntity(context, row.entity) && (isOwn(actor, row) || isSharedWith(actor, row))
}

export function isOwn(actor: Actor, { account_id }: ViewRow): boolean {
  return account_id === userIdOf(actor)
}

export function mayChange(actor: Actor, row: ViewRow): boolean {
  return isOwn(actor, row) || (isShared(row) && actor.permissions.has(sharePermission))
}

export function isShared({ shared_with }: Pick<ViewRow, 'shared_with'>): boolean {
  return shared_with !== 'nobody'
}

/** Whether the caller may list rows of the entity. */
export function readsEntity({ shared, actor }: Context, name: string): boolean {
  const access = shared.entities.map((describe) => describe()).find((each) => each.name === name)?.operations
    .list?.access
  if (access === undefined) return false
  return !isPermission(access) || actor?.permissions.has(access) === true
}

function isSharedWith(actor: Actor, row: ViewRow): boolean {
  if (!isShared(row)) return false
  if (row.shared_with === 'everybody' || actor.permissions.has(sharePermission)) return true
  const own = actor.roles.map(foldRoleName)
  return rolesIn(row.roles).some((role) => own.includes(foldRoleName(role)))
}

export function rolesIn(text: string): string[] {
  return JSON.parse(text) as string[] // written as a list of names
}
