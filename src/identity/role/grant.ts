/**
 * What roles grant, and who may grant it. The rule: nobody grants, changes or takes away permissions that they do not
 * have themselves. Otherwise a user could become an administrator, or lock out one.
 */
import type { Actor, Context } from '../../core/context.ts'
import { invalidField, refusal } from '../../core/errors.ts'
import { suggestion } from '../../core/names.ts'
import { type BuiltInRole, builtInRoles, type Permission, type Permissions } from '../../core/permission.ts'
import { lockTenantOf } from '../../core/tenant/directory.ts'
import { rowsOfApplication } from './application-role.ts'
import { type RoleRow, rolesOfTenant } from './sql.ts'

export function foldRoleName(name: string): string {
  return name.toLowerCase()
}

export function builtInRole(name: string): BuiltInRole | null {
  return builtInRoles.find((role) => foldRoleName(role) === foldRoleName(name)) ?? null
}

/** The sorted permissions of a stored role or key, except permissions that no longer exist, or not in its tenant. */
export function permissionsOf(
  row: Pick<RoleRow, 'permissions' | 'tenant_id'>,
  declared: Permissions,
): Permission[] {
  const stored: string[] = JSON.parse(row.permissions)
  return stored.filter((name) => declared.existsIn(row.tenant_id, name)).sort()
}

/** @throws ServiceError `forbidden` naming the permissions that the actor does not have */
export function refuseGranting({ actor }: Context, permissions: readonly Permission[]): void {
  if (actor === null) return // the service itself: it creates the first administrator of a service or tenant
  const missing = permissions.filter((permission) => !actor.permissions.has(permission))
  if (missing.length > 0) {
    throw refusal('grantsMore', { missing: missing.join(', ') })
  }
}

/**
 * Checks roles that are to be granted, inside a transaction.
 * @param member the member of the request that names them
 * @returns the names as they are stored
 * @throws ServiceError `invalid` for a name that no role of the tenant has; `forbidden` for
 *   roles that the actor may not grant
 */
export async function grantableRoles(
  inside: Context,
  wanted: readonly string[],
  member = 'roles',
): Promise<string[]> {
  if (wanted.some((name) => builtInRole(name) === null)) {
    await lockTenantOf(inside) // no role that is granted here is deleted meanwhile
  }
  const own = await ownRoles(inside, wanted)
  const names = wanted.map((name) => {
    const found = builtInRole(name) ?? own.get(foldRoleName(name))?.name
    if (found !== undefined) return found
    const known = [...builtInRoles, ...[...own.values()].map((row) => row.name)]
    throw invalidField(member, `names no role: ${name}${suggestion(name, known)}`, 'unknownName')
  })
  refuseRoles(inside, names, own, 'grantsMore')
  return [...new Set(names)]
}

/**
 * Nobody changes or deletes a role that grants permissions which they do not have. Inside a transaction.
 * @throws ServiceError `forbidden` naming the permissions
 */
export function refuseHigherRole(inside: Context, granted: readonly Permission[]): void {
  refuseHigher(inside, granted, 'roleGrantsMore')
}

/**
 * Nobody revokes an API key that may do more than the actor.
 * @throws ServiceError `forbidden` naming the permissions
 */
export function refuseHigherKey(inside: Context, granted: readonly Permission[]): void {
  refuseHigher(inside, granted, 'keyHasMore')
}

/** The codes of refusals because of something with permissions that the actor does not have. */
type Higher = 'roleGrantsMore' | 'keyHasMore' | 'holderHasMore' | 'userHasMore' | 'invitationGrantsMore'

function refuseHigher({ actor }: Context, granted: readonly Permission[], code: Higher): void {
  const missing = granted.filter((permission) => actor?.permissions.has(permission) === false)
  if (missing.length > 0) throw refusal(code, { missing: missing.join(', ') })
}

/**
 * Nobody takes permissions from a user who may do more. Inside a transaction.
 * @param holders the roles of each user who loses permissions
 * @throws ServiceError `forbidden` naming what such a user may do
 */
export async function refuseHigherHolders(
  inside: Context,
  holders: readonly (readonly string[])[],
): Promise<void> {
  const own = await ownRoles(inside, holders.flat())
  // An administrator loses nothing: the role Admin has every permission.
  for (const roles of holders.filter((each) => !each.includes('Admin')))
    refuseRoles(inside, roles, own, 'holderHasMore')
}

/** Whether a user of the tenant with the roles `held` may grant the roles `wanted`. */
export async function mayGrant(
  context: Context,
  held: readonly string[],
  wanted: readonly string[],
): Promise<boolean> {
  if (held.includes('Admin')) return true
  const { shared, catalogueTenantId } = context
  const own = await ownRoles(context, [...held, ...wanted])
  const granted = (name: string): Permission[] => {
    const row = own.get(foldRoleName(name))
    if (row !== undefined) return permissionsOf(row, shared.permissions)
    return name === 'User' ? shared.permissions.in(shared.permissions.ofRole('User', catalogueTenantId)) : []
  }
  const has = new Set(held.flatMap(granted))
  return wanted.every((name) => name !== 'Admin' && granted(name).every((permission) => has.has(permission)))
}

/** Whether a user with the roles has a permission. */
export async function haveRolesPermission(
  context: Context,
  roles: readonly string[],
  permission: Permission,
): Promise<boolean> {
  const { shared, catalogueTenantId: tenantId } = context
  const isBuiltIn = builtInRoles.some(
    (role) => roles.includes(role) && shared.permissions.ofRole(role, tenantId).has(permission),
  )
  return isBuiltIn || (await grantsOf(context, roles)).includes(permission)
}

/** @returns the names among `names` that are roles of the tenant: a role may have been deleted since it was named */
export async function existingRoles(context: Context, names: readonly string[]): Promise<string[]> {
  const own = await ownRoles(context, names)
  return names.filter((name) => builtInRole(name) !== null || own.has(foldRoleName(name)))
}

/**
 * Nobody withdraws or replaces an invitation with roles that grant more than the actor may do. Inside a transaction.
 * @throws ServiceError `forbidden`
 */
export async function refuseHigherInvitation(inside: Context, roles: readonly string[]): Promise<void> {
  refuseRoles(inside, roles, await ownRoles(inside, roles), 'invitationGrantsMore')
}

/**
 * Nobody changes a user who may do more: with a new password they could sign in as this user. Inside a transaction.
 * @throws ServiceError `forbidden`
 */
export async function refuseHigherUser(
  inside: Context,
  { id, roles }: Pick<Actor, 'id' | 'roles'>,
): Promise<void> {
  if (inside.actor?.id === id) return
  refuseRoles(inside, roles, await ownRoles(inside, roles), 'userHasMore')
}

function refuseRoles(
  { actor, shared }: Context,
  names: readonly string[],
  own: ReadonlyMap<string, RoleRow>,
  code: Higher | 'grantsMore',
): void {
  if (actor === null || actor.roles.includes('Admin')) return
  for (const name of names) {
    if (name === 'Admin') throw refusal(code, { missing: 'Admin' })
    const row = own.get(foldRoleName(name))
    const granted =
      row === undefined
        ? shared.permissions.in(shared.permissions.ofRole('User', actor.tenantId))
        : permissionsOf(row, shared.permissions)
    const missing = granted.filter((permission) => !actor.permissions.has(permission))
    if (missing.length > 0) throw refusal(code, { missing: missing.join(', ') })
  }
}

/** @returns the permissions that the roles grant, except the built-in roles among them */
export async function grantsOf(context: Context, names: readonly string[]): Promise<Permission[]> {
  const own = await ownRoles(context, names)
  return names.flatMap((name) => {
    const row = own.get(foldRoleName(name))
    return row === undefined ? [] : permissionsOf(row, context.shared.permissions)
  })
}

/**
 * Reads the roles of the tenant and the application, unless all names are built-in roles, which most users have.
 * @returns the roles by case-folded name
 */
async function ownRoles(
  { catalogue, catalogueTenantId, shared }: Context,
  names: readonly string[],
): Promise<Map<string, RoleRow>> {
  if (names.every((name) => builtInRole(name) !== null)) return new Map()
  const declared = rowsOfApplication(catalogueTenantId, shared.applicationRoles)
  return new Map([...declared, ...(await rolesOfTenant(catalogue))].map((row) => [row.name_key, row]))
}
