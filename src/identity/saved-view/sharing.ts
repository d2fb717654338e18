/** Checks and changes with whom a view is shared, and for which roles it is the default. */
import type { Context } from '../../core/context.ts'
import { invalidField, refusal } from '../../core/errors.ts'
import { lacking } from '../../core/permission.ts'
import { existingRoles, foldRoleName } from '../role/grant.ts'
import { callerOf, isShared, rolesIn, sharePermission } from './reach.ts'
import { maxSharedViews, type ViewUpdate } from './schema.ts'
import { findViews, updateView, type ViewRow } from './sql.ts'

export type Sharing = Pick<ViewRow, 'shared_with' | 'roles' | 'default_for'>

export const unshared: Sharing = { shared_with: 'nobody', roles: '[]', default_for: '[]' }

/**
 * @returns the sharing after the change
 * @throws ServiceError `invalid` for roles that do not exist, or that do not fit `sharedWith`;
 *   `forbidden` without `view:share`
 */
export async function changedSharing(inside: Context, before: Sharing, input: ViewUpdate): Promise<Sharing> {
  const sharedWith = input.sharedWith ?? before.shared_with
  await requireRoles(inside, 'roles', input.roles)
  await requireRoles(inside, 'isDefaultFor', input.isDefaultFor)
  if (sharedWith !== 'roles' && input.roles !== undefined && input.roles.length > 0)
    throw invalidField('roles', 'requires sharedWith to be roles', 'notPossible')
  const roles = sharedWith === 'roles' ? (input.roles ?? rolesIn(before.roles)) : []
  if (sharedWith === 'roles' && roles.length === 0)
    throw invalidField('roles', 'must name a role', 'notPossible')
  const sees = (role: string) => sharedWith === 'everybody' || isAmong(roles, role)
  const excluded = input.isDefaultFor?.find((role) => !sees(role))
  if (excluded !== undefined)
    throw invalidField('isDefaultFor', `names a role that does not see the view: ${excluded}`, 'unknownName')
  const defaults = input.isDefaultFor ?? rolesIn(before.default_for).filter(sees)
  const after = {
    shared_with: sharedWith,
    roles: JSON.stringify(roles),
    default_for: JSON.stringify(defaults),
  }
  if (isShared(after) && !isSame(before, after)) requireShare(inside)
  return after
}

/** @throws ServiceError `forbidden` for an actor that may not share views */
function requireShare(inside: Context): void {
  if (!callerOf(inside).permissions.has(sharePermission)) throw lacking(sharePermission)
}

/** @throws ServiceError `invalid` if the tenant has the maximum of shared views */
export async function refuseTooManyShared({ catalogue }: Context): Promise<void> {
  if ((await findViews(catalogue, { userId: null })).length >= maxSharedViews)
    throw refusal('tooManySharedViews', { limit: maxSharedViews })
}

/** Makes the view the default of its roles. A role has one default view of an entity: other views lose the role. */
export async function takeDefaults(
  inside: Context,
  { id, entity, default_for, updated_at }: ViewRow,
): Promise<void> {
  const roles = rolesIn(default_for)
  if (roles.length === 0) return
  for (const other of await findViews(inside.catalogue, { userId: null, entity })) {
    const remaining = rolesIn(other.default_for).filter((role) => !isAmong(roles, role))
    if (other.id === id || remaining.length === rolesIn(other.default_for).length) continue
    const version = other.version + 1
    const changed = { ...other, default_for: JSON.stringify(remaining), version, updated_at }
    await updateView(inside.catalogue, changed)
  }
}

async function requireRoles(
  inside: Context,
  member: string,
  names: readonly string[] | undefined,
): Promise<void> {
  if (names === undefined) return
  const existing = await existingRoles(inside, names)
  const missing = names.find((name) => !existing.includes(name))
  if (missing !== undefined) throw invalidField(member, `names no role: ${missing}`, 'unknownName')
}

function isAmong(roles: readonly string[], role: string): boolean {
  return roles.some((each) => foldRoleName(each) === foldRoleName(role))
}

function isSame(before: Sharing, after: Sharing): boolean {
  return (
    before.shared_with === after.shared_with &&
    before.roles === after.roles &&
    before.default_for === after.default_for
  )
}
