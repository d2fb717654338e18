/** Operations of administrators on users. */

import { isHostAdmin } from '../../core/actor.ts'
import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, now } from '../../core/context.ts'
import { atHome } from '../../core/create-context.ts'
import { defined } from '../../core/defined.ts'
import { publish } from '../../core/events/publish.ts'
import { newId } from '../../core/id.ts'
import { installation } from '../../core/installation.ts'
import { userOwner } from '../../core/owner.ts'
import { placeAfter } from '../../core/page.ts'
import { inCatalogue } from '../../core/transaction.ts'
import type { Executor } from '../../database/executor.ts'
import { announceKeysOf, revokeKeysOf } from '../api-key/acting.ts'
import { withdrawTokens } from '../one-time-token/one-time-token.ts'
import { ownerChange } from '../owner/change.ts'
import { hashNewPassword, type NewPassword } from '../password/new-password.ts'
import { protectAdministrator } from '../role/administrator.ts'
import { grantableRoles, refuseHigherUser } from '../role/grant.ts'
import { requireRecentSignIn } from '../session/recent-sign-in.ts'
import { revokeSessionsOf } from '../session/revocation.ts'
import {
  changedColumns,
  changesAccess,
  changesSignIn,
  foldUserName,
  isActiveAdmin,
  noSuchUser,
  refuseDuplicates,
  rolesOf,
  toUser,
  toUsers,
  userEntry,
  verificationOf,
} from './account.ts'
import { changedAttributes, newAttributes } from './attributes.ts'
import { noticeUpdate } from './notice.ts'
import { everyone, reachTenant, reachUser } from './reach.ts'
import { refuseLossOf } from './required-administrator.ts'
import type { User, UserInput, UserUpdate } from './schema.ts'
import { claimNames, findDuplicate } from './sign-in-name.ts'
import { signedIn } from './signed-in.ts'
import {
  type Account,
  accountPage,
  accountPageOfAll,
  countAccounts,
  countAccountsWithRole,
  deleteAccountRow,
  findAccount,
  findByUserName,
  hasAccounts,
  insertAccount,
  lockAccount,
  roleCombinations,
  updateAccountRow,
} from './sql.ts'

/** A new user with a hashed password: hashing is too slow for a transaction. */
export interface HashedUser extends Omit<UserInput, 'password' | 'tenantId'> {
  passwordHash: string
  /** Whether the user has proven to read the mails of the address. */
  isEmailVerified?: boolean
}

/**
 * @param words that the password must not be, besides the names of the user
 * @throws ServiceError `invalid` for a password that is common or breached, `overloaded`
 */
export async function hashPasswordOf(
  context: Context,
  { password, ...rest }: UserInput,
  { member, words = [] }: Partial<Pick<NewPassword, 'member' | 'words'>> = {},
): Promise<HashedUser> {
  const known = [rest.userName, rest.email, ...words]
  const passwordHash = await hashNewPassword(context, defined({ password, words: known, member }))
  return { ...rest, passwordHash }
}

export function countUsers(catalogue: Executor): Promise<number> {
  return countAccounts(installation(catalogue, 'the users of all tenants are counted'))
}

export function countUsersWithRole({ catalogue }: Context, role: string): Promise<number> {
  return countAccountsWithRole(catalogue, role)
}

/** The roles of each user who has a role, that role among them, without repetitions. */
export async function rolesBeside({ catalogue }: Context, role: string): Promise<string[][]> {
  return (await roleCombinations(catalogue, role)).map((roles) => roles.split(' '))
}

export function hasUsers(context: Context): Promise<boolean> {
  return hasAccounts(installation(context, 'whether the installation has a user'))
}

/** @param wanted the tenant whose users to list; all users that the actor may see if absent @throws as `placeAfter` */
export async function listUsers(
  context: Context,
  wanted: string | undefined,
  range: { after: string; limit: number },
): Promise<User[]> {
  const place = { ...range, after: placeAfter(range.after) }
  if (wanted === undefined && isHostAdmin(context.actor))
    return toUsers(context, await accountPageOfAll(everyone(context), place))
  const { catalogue } = await reachTenant(context, wanted)
  return toUsers(context, await accountPage(catalogue, place))
}

/** @throws ServiceError `notFound`, also for a user of another tenant */
export async function getUser(context: Context, id: string): Promise<User> {
  const user = await findUser(context, id)
  if (user === null) throw noSuchUser()
  return user
}

/** @returns the user who is the actor @throws ServiceError `notFound` when it was deleted meanwhile */
export async function getCurrentUser(context: Context): Promise<User & { emailVerified: boolean }> {
  const account = await findAccount(atHome(context).catalogue, signedIn(context).id)
  if (account === null) throw noSuchUser()
  return { ...toUser(account, context.shared.attributes), emailVerified: account.email_verified_at !== null }
}

/** @returns `null` for a user that does not exist, or that the actor may not see */
export async function findUser(context: Context, id: string): Promise<User | null> {
  const { catalogue } = await reachUser(context, id)
  const account = await findAccount(catalogue, id)
  return account === null ? null : toUser(account, context.shared.attributes)
}

/** @throws ServiceError `notFound` */
export async function getUserByName(
  context: Context,
  wanted: string | undefined,
  userName: string,
): Promise<User> {
  const { catalogue } = await reachTenant(context, wanted)
  const storable = userName.isWellFormed() && !userName.includes('\0')
  const account = storable ? await findByUserName(catalogue, foldUserName(userName)) : null
  if (account === null) throw noSuchUser()
  return toUser(account, context.shared.attributes)
}

/**
 * @throws ServiceError `forbidden` for another tenant, and for an administrator without a recent sign-in; `invalid`
 *   for a taken name or email, or no such tenant
 */
export async function createUser(context: Context, input: UserInput): Promise<User> {
  const inTenantOfUser = await reachTenant(context, input.tenantId)
  const fault = await findDuplicate(inTenantOfUser, input)
  const hashed = fault === null ? await hashPasswordOf(inTenantOfUser, input) : null
  return inCatalogue(inTenantOfUser, async (inside) => {
    if (hashed === null) throw fault // not earlier: a repeated command gets its stored reply
    return addUser(inside, hashed)
  })
}

/** Adds a user to the context's tenant, inside a transaction. @throws ServiceError `invalid` */
export async function addUser(inside: Context, input: HashedUser): Promise<User> {
  const { catalogue, catalogueTenantId: tenantId } = inside
  const roles = await grantableRoles(inside, input.roles ?? ['User'])
  await protectAdministrator(inside, roles)
  const row = {
    id: newId(),
    user_name: input.userName,
    user_name_key: foldUserName(input.userName),
    email: input.email,
    email_key: foldUserName(input.email),
    email_verified_at: input.isEmailVerified === true ? now(inside) : null,
    password_hash: input.passwordHash,
    first_name: input.firstName,
    last_name: input.lastName,
    phone_number: input.phoneNumber ?? null,
    roles: roles.join(' '),
    attributes: newAttributes(inside, input.attributes),
    is_active: input.isActive ?? true,
    created_at: now(inside),
    version: 1,
  }
  await refuseDuplicates(insertAccount(catalogue, row))
  const account: Account = { ...row, tenant_id: tenantId }
  await claimNames(inside, null, account)
  await publish(inside, 'user.created', { userId: account.id, userName: account.user_name }, tenantId)
  const user = toUser(account, inside.shared.attributes)
  const { attributes } = user
  const detail = { roles: account.roles, ...(row.attributes !== null && { attributes }) }
  await recordAudit(inside, userEntry('user.created', account, detail))
  return user
}

/**
 * Omitted members stay unchanged. A new email is not verified. A new password, new roles or a deactivation end all
 * sessions of the user.
 * @throws ServiceError `notFound`; `invalid` for a taken name or a required administrator; `forbidden` for a
 *   user who may do more, and for what an administrator signs in with or may do without a recent sign-in
 */
export function updateUser(context: Context, id: string, input: UserUpdate): Promise<User> {
  return changeUser(context, id, input)
}

/** Like `updateUser`, also for a new email that is already verified. @throws ServiceError as `updateUser` */
export async function changeUser(
  context: Context,
  id: string,
  input: UserUpdate,
  { isEmailVerified = false } = {},
): Promise<User> {
  if (context.actor?.id === id && changesSignIn(input)) await requireRecentSignIn(context)
  const inTenantOfUser = await reachUser(context, id)
  const passwordHash = await hashForUpdate(inTenantOfUser, id, input)
  return inCatalogue(inTenantOfUser, async (inside) => {
    const before = await lockUser(inside, id)
    await refuseHigherUser(inside, { id, roles: rolesOf(before) })
    const attributes = changedAttributes(inside, before, input.attributes)
    const roles = input.roles && (await grantableRoles(inside, input.roles))
    const change = {
      ...changedColumns(input),
      ...verificationOf(before, input, isEmailVerified ? now(inside) : null),
      ...defined({ roles: roles?.join(' '), attributes, password_hash: passwordHash }),
    }
    const after = { ...before, ...change, version: before.version + 1 }
    if (changesAccess(before, after))
      await protectAdministrator(inside, [...rolesOf(before), ...rolesOf(after)])
    if (!isActiveAdmin(after)) await refuseLossOf(inside, before)
    await refuseDuplicates(updateAccountRow(inside.catalogue, id, { ...change, version: after.version }))
    await inside.transaction?.announce(ownerChange(userOwner(id)))
    await announceKeysOf(inside, id)
    await claimNames(inside, before, after)
    if (passwordHash !== undefined || after.roles !== before.roles || !after.is_active) {
      await revokeSessionsOf(inside, id)
      await withdrawTokens(inside, id)
    }
    const payload = { userId: id, userName: after.user_name }
    await publish(inside, 'user.updated', payload, after.tenant_id)
    const user = toUser(after, inside.shared.attributes)
    const detail = {
      changed: Object.keys(input),
      ...(attributes !== undefined && { attributes: user.attributes }),
    }
    await recordAudit(inside, userEntry('user.updated', after, detail))
    await noticeUpdate(inside, before, after)
    return user
  })
}

/**
 * @throws ServiceError `notFound`; `invalid` for a required administrator; `forbidden` as for `updateUser`
 */
export async function deleteUser(context: Context, id: string): Promise<void> {
  await inCatalogue(await reachUser(context, id), async (inside) => {
    const account = await lockUser(inside, id)
    await refuseHigherUser(inside, { id, roles: rolesOf(account) })
    await protectAdministrator(inside, rolesOf(account))
    await refuseLossOf(inside, account)
    await revokeSessionsOf(inside, id)
    await revokeKeysOf(inside, id)
    await deleteAccountRow(inside.catalogue, id)
    await inside.transaction?.announce(ownerChange(userOwner(id)))
    await inside.shared.users.deleted(inside, { tenantId: account.tenant_id, userId: id })
    await publish(inside, 'user.deleted', { userId: id }, account.tenant_id)
    await recordAudit(inside, userEntry('user.deleted', account, { userName: account.user_name }))
  })
}

/** Hashes a new password. Refuses duplicates before, because hashing is slow and the transaction would refuse them. */
async function hashForUpdate(context: Context, id: string, input: UserUpdate): Promise<string | undefined> {
  const { password } = input
  if (password === undefined) return undefined
  const account = await findAccount(context.catalogue, id)
  if (account === null) throw noSuchUser()
  const fault = await findDuplicate(context, input, id)
  if (fault !== null) throw fault
  const { user_name: userName, email } = account
  const words = [input.userName ?? userName, input.email ?? email]
  return hashNewPassword(context, { password, words })
}

async function lockUser(inside: Context, id: string): Promise<Account> {
  const account = await lockAccount(inside.catalogue, id)
  if (account === null) throw noSuchUser()
  return account
}
