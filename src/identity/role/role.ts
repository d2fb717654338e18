/** Operations on the roles of a tenant. The built-in roles exist in every tenant and do not change. */

import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, now } from '../../core/context.ts'
import { defined } from '../../core/defined.ts'
import { invalidField, refusal, type ServiceError } from '../../core/errors.ts'
import { publish } from '../../core/events/publish.ts'
import { translated } from '../../core/language/languages.ts'
import { suggestion } from '../../core/names.ts'
import { type ListKey, type Page, type PageRequest, pageOf } from '../../core/page.ts'
import {
  type ApplicationRole,
  type BuiltInRole,
  builtInRoles,
  type Permission,
  type Permissions,
} from '../../core/permission.ts'
import type { Precondition } from '../../core/precondition.ts'
import { lockTenantOf } from '../../core/tenant/directory.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { countUsersWithRole, rolesBeside } from '../user/user.ts'
import { protectAdministratorRole } from './administrator.ts'
import { roleChange } from './directory.ts'
import {
  builtInRole,
  foldRoleName,
  permissionsOf,
  refuseGranting,
  refuseHigherHolders,
  refuseHigherRole,
} from './grant.ts'
import { maxRoles, type PermissionInfo, type Role, type RoleInput, type RoleUpdate } from './schema.ts'
import { deleteRoleRow, findRole, insertRole, type RoleRow, rolesOfTenant, updateRoleRow } from './sql.ts'

export interface StoredRole extends Role {
  /** Absent for a built-in role. */
  version?: number
  updatedAt?: string
}

/** @returns the permissions that exist in the tenant, sorted by name */
export function listPermissions(
  { shared: { permissions }, tenant }: Context,
  language: string,
): PermissionInfo[] {
  return permissions
    .list()
    .filter(([name]) => permissions.existsIn(tenant.id, name))
    .map(([name, { description, labels }]) => ({
      name,
      description: translated(language, 'permissions', { name, text: description, labels }),
      roles: builtInRoles.filter((role) => permissions.ofRole(role, tenant.id).has(name)),
    }))
}

/** @returns the permissions of the actor, sorted */
export function ownPermissions({ actor, shared }: Context): Permission[] {
  return actor === null ? [] : shared.permissions.in(actor.permissions)
}

/**
 * Lists the built-in roles, the roles of the application, then those of the tenant, each by name. A role of the tenant
 * replaces a role of the application with the same name.
 */
export async function listRoles(context: Context, request: PageRequest): Promise<Page<Role>> {
  const { permissions, applicationRoles } = context.shared
  const rows = await rolesOfTenant(context.catalogue)
  const own = new Set(rows.map(({ name_key }) => name_key))
  const declared = [...applicationRoles].filter(([key]) => !own.has(key))
  const roles = [
    ...builtInRoles.map((name) => describeBuiltIn(name, context)),
    ...declared
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, role]) => describeDeclared(role, context)),
    ...rows.map((row) => withoutVersion(toRole(row, permissions))),
  ]
  return pageOf(roles, roleKey, request)
}

const sources = ['service', 'application', 'tenant']
/** The key by which the list is paged: the position of the source, then the name. */
const roleKey: ListKey<Role> = {
  of: ({ source, name }) => `${sources.indexOf(source)}${foldRoleName(name)}`,
  accepts: (text) => /^[012][a-z][a-z0-9_-]*$/.test(text),
}

/** @throws ServiceError `notFound` */
export async function getRole(context: Context, name: string): Promise<StoredRole> {
  const { permissions } = context.shared
  const builtIn = builtInRole(name)
  if (builtIn !== null) return describeBuiltIn(builtIn, context)
  const row = await storedRole(context, name)
  if (row !== null) return toRole(row, permissions)
  const declared = context.shared.applicationRoles.get(foldRoleName(name))
  if (declared === undefined) throw noSuchRole()
  return describeDeclared(declared, context)
}

/**
 * @throws ServiceError `invalid` for a taken name or an unknown permission; `forbidden` for a permission that the actor
 *   lacks, and for a role of administrators without a recent sign-in
 */
export async function createRole(context: Context, input: RoleInput): Promise<StoredRole> {
  return inCatalogue(context, async (inside) => {
    const permissions = declaredPermissions(inside, input.permissions)
    refuseGranting(inside, permissions)
    await protectAdministratorRole(inside, permissions)
    await lockTenantOf(inside)
    const others = await rolesOfTenant(inside.catalogue)
    const key = foldRoleName(input.name)
    const isTaken = builtInRole(input.name) !== null || inside.shared.applicationRoles.has(key)
    if (isTaken || others.some(({ name_key }) => name_key === key))
      throw invalidField('name', 'is taken by another role', 'taken')
    if (others.length >= maxRoles) throw refusal('tooManyRoles', { limit: maxRoles })
    const moment = now(inside)
    const row = {
      name_key: key,
      name: input.name,
      description: input.description ?? null,
      permissions: JSON.stringify(permissions),
      created_at: moment,
      updated_at: moment,
      version: 1,
    }
    await insertRole(inside.catalogue, row)
    const created: RoleRow = { ...row, tenant_id: inside.catalogueTenantId }
    await record(inside, 'role.created', created, { permissions })
    return toRole(created, inside.shared.permissions)
  })
}

/**
 * Omitted members stay unchanged.
 * @throws ServiceError `notFound`, `preconditionFailed`, `invalid`; `forbidden` for a role that
 *   grants permissions which the actor lacks, before or after the change, if a user loses permissions who may do more than
 *   the actor, and for permissions of administrators without a recent sign-in
 */
export async function updateRole(
  context: Context,
  name: string,
  { input, precondition }: { input: RoleUpdate; precondition: Precondition },
): Promise<StoredRole> {
  return inCatalogue(context, async (inside) => {
    const before = await lockRole(inside, name, precondition)
    const former = permissionsOf(before, inside.shared.permissions)
    const permissions =
      input.permissions === undefined ? former : declaredPermissions(inside, input.permissions)
    refuseHigherRole(inside, former)
    await changeGrants(inside, before, { former, permissions })
    const change = defined({
      description: input.description,
      permissions: JSON.stringify(permissions),
      updated_at: now(inside),
      version: before.version + 1,
    })
    await updateRoleRow(inside.catalogue, before.name_key, change)
    await record(inside, 'role.updated', before, { before: former, after: permissions })
    return toRole({ ...before, ...change }, inside.shared.permissions)
  })
}

async function changeGrants(
  inside: Context,
  { name }: RoleRow,
  { former, permissions }: Record<'former' | 'permissions', Permission[]>,
): Promise<void> {
  const added = permissions.filter((permission) => !former.includes(permission))
  const removed = former.filter((permission) => !permissions.includes(permission))
  refuseGranting(inside, added)
  if (removed.length > 0) await refuseHigherHolders(inside, await rolesBeside(inside, name))
  await protectAdministratorRole(inside, [...added, ...removed])
}

/**
 * @throws ServiceError `notFound`, `preconditionFailed`, `invalid` while users have the role; `forbidden` for a
 *   role that grants permissions which the actor lacks
 */
export async function deleteRole(context: Context, name: string, precondition: Precondition): Promise<void> {
  await inCatalogue(context, async (inside) => {
    const row = await lockRole(inside, name, precondition)
    refuseHigherRole(inside, permissionsOf(row, inside.shared.permissions))
    const declared = inside.shared.applicationRoles.get(row.name_key)
    const users = await countUsersWithRole(inside, row.name)
    if (declared !== undefined) await passToDeclaration(inside, row, declared)
    else if (users > 0) throw refusal('roleInUse', { users })
    await deleteRoleRow(inside.catalogue, row.name_key)
    await record(inside, 'role.deleted', row, { permissions: permissionsOf(row, inside.shared.permissions) })
  })
}

/** When a role is deleted, its users get the role of the application with the same name, if there is one. */
async function passToDeclaration(
  inside: Context,
  row: RoleRow,
  { permissions }: ApplicationRole,
): Promise<void> {
  const former = permissionsOf(row, inside.shared.permissions)
  const granted = permissions.filter((each) => inside.shared.permissions.existsIn(row.tenant_id, each))
  await changeGrants(inside, row, { former, permissions: granted })
}

/** Locks the tenant until the transaction ends, so that no user gets the role meanwhile. @returns the role */
async function lockRole(inside: Context, name: string, precondition: Precondition): Promise<RoleRow> {
  if (builtInRole(name) !== null) throw refusal('builtInRole')
  await lockTenantOf(inside)
  const row = await storedRole(inside, name)
  if (row === null && inside.shared.applicationRoles.has(foldRoleName(name))) throw refusal('applicationRole')
  precondition?.(row === null ? null : { version: row.version, updatedAt: row.updated_at })
  if (row === null) throw noSuchRole()
  return row
}

/** @returns `null` for a name that no role of the tenant has, also for a text that a database cannot store */
async function storedRole({ catalogue }: Context, name: string): Promise<RoleRow | null> {
  const isStorable = name.isWellFormed() && !name.includes('\0')
  return isStorable ? findRole(catalogue, foldRoleName(name)) : null
}

async function record(
  inside: Context,
  action: 'role.created' | 'role.updated' | 'role.deleted',
  { tenant_id: tenantId, name }: RoleRow,
  detail: Record<string, unknown>,
): Promise<void> {
  await inside.transaction?.announce(roleChange(tenantId))
  await publish(inside, action, { name }, tenantId)
  await recordAudit(inside, { action, tenantId, subjectType: 'role', subjectId: name, detail })
}

/**
 * @returns the permissions, sorted and without duplicates
 * @throws ServiceError `invalid` for a permission that does not exist in the tenant
 */
export function declaredPermissions({ shared, tenant }: Context, names: readonly string[]): Permission[] {
  const declared = shared.permissions
  const known = declared.list().flatMap(([name]) => (declared.existsIn(tenant.id, name) ? [name] : []))
  const permissions = names.map((name) => {
    if (declared.existsIn(tenant.id, name)) return name
    throw invalidField('permissions', `names no permission: ${name}${suggestion(name, known)}`, 'unknownName')
  })
  return [...new Set(permissions)].sort()
}

function describeBuiltIn(name: BuiltInRole, { shared: { permissions }, tenant }: Context): Role {
  return {
    name,
    description: name === 'Admin' ? 'Has every permission.' : 'Has what every user of a tenant may do.',
    permissions: permissions.in(permissions.ofRole(name, tenant.id)),
    isBuiltIn: true,
    source: 'service',
    createdAt: null,
  }
}

function describeDeclared({ name, permissions }: ApplicationRole, { shared, tenant }: Context): Role {
  return {
    name,
    description: null,
    permissions: permissions.filter((each) => shared.permissions.existsIn(tenant.id, each)),
    isBuiltIn: true,
    source: 'application',
    createdAt: null,
  }
}

function toRole(row: RoleRow, permissions: Permissions): StoredRole {
  return {
    name: row.name,
    description: row.description,
    permissions: permissionsOf(row, permissions),
    isBuiltIn: false,
    source: 'tenant',
    createdAt: row.created_at,
    version: row.version,
    updatedAt: row.updated_at,
  }
}

function withoutVersion({ version: _version, updatedAt: _updatedAt, ...role }: StoredRole): Role {
  return role
}

function noSuchRole(): ServiceError {
  return refusal('noSuch', { label: 'role' })
}
