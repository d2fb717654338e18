/** Finds, links or creates the user that a provider has signed in. */
import { randomBytes } from 'node:crypto'
import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, now } from '../../core/context.ts'
import { tenantContext } from '../../core/create-context.ts'
import { ServiceError } from '../../core/errors.ts'
import { userOwner } from '../../core/owner.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { areOfAdministrators } from '../role/administrator.ts'
import { existingRoles } from '../role/grant.ts'
import { type Account, foldUserName, rolesOf } from '../user/account.ts'
import { findAccountByLogin, lockActiveAccount } from '../user/credentials.ts'
import { addUser, type HashedUser, updateUser } from '../user/user.ts'
import { domainOf, type ProviderUser } from './claims.ts'
import { optionsOf } from './configuration.ts'
import { isProven } from './domain.ts'
import { removeFormerCredentials } from './former-credential.ts'
import { hasIdentity, type IdentityProviderRow, insertIdentity, useIdentity } from './sql.ts'

/** Why a user may not sign in, for the audit, or the id of the account. */
export type FoundAccount = { accountId: string } | { refused: string }

/** What the provider says, and of which provider it is. */
interface Provided {
  row: IdentityProviderRow
  user: ProviderUser
}

/** Pauses the subscriptions and rules of an owner. @param context with the database of the tenant */
export type PauseOwned = (context: Context, owner: string) => Promise<void>

/**
 * @param context with the rights of the operator
 * @throws ServiceError `unavailable` while the database of the tenant cannot be reached, for an account that somebody
 *   else may have made
 */
export async function accountFor(
  context: Context,
  provided: Provided,
  pauseOwned: PauseOwned,
): Promise<FoundAccount> {
  const find = (removal: Removal) =>
    inCatalogue(context, (inside) => findOrCreate(inside, { ...provided, removal }))
  const findAgain = async (removal: Removal) => {
    try {
      return await find(removal)
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind !== 'invalid') throw error
      return find(removal) // a simultaneous first sign-in of the same user has taken its names
    }
  }
  try {
    return await findAgain({ isPrepared: false, accountId: null })
  } catch (error) {
    if (!(error instanceof RemovalNotPrepared)) throw error
  }
  return withTenantDatabase(context, async (tenant) => {
    const removal: Removal = { isPrepared: true, accountId: null }
    const found = await findAgain(removal)
    // After the commit, which ends the sessions: nothing else is made meanwhile.
    if (removal.accountId !== null) await pauseOwned(tenant, userOwner(removal.accountId))
    return found
  })
}

/** The removal of credentials also takes the database of the tenant, for which no transaction waits. */
interface Removal {
  isPrepared: boolean
  /** Whose credentials were removed. */
  accountId: string | null
}

class RemovalNotPrepared extends Error {}

async function withTenantDatabase<T>(
  { shared, tenant }: Context,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const lease = await shared.tenantDatabases.lease(tenant)
  try {
    return await work(tenantContext(shared, tenant, lease.database))
  } finally {
    lease.release()
  }
}

type Finding = Provided & { removal: Removal }

async function findOrCreate(inside: Context, provided: Finding): Promise<FoundAccount> {
  const { row, user } = provided
  const { tenant_id: tenantId, issuer } = row
  const key = { tenantId, issuer, subject: user.subject }
  const accountId = await useIdentity(inside.catalogue, key, now(inside))
  if (accountId !== null) return signInLinked(inside, provided, accountId)
  const proven = await provenAddress(inside, provided)
  if ('refused' in proven) return proven
  const present = await findAccountByLogin(inside, proven.email)
  if (present !== null) {
    // A simultaneous first sign-in of the same user may have made and linked it since.
    const linked = await useIdentity(inside.catalogue, key, now(inside))
    if (linked !== null) return signInLinked(inside, provided, linked)
    return linkPresent(inside, { ...provided, ...proven }, present)
  }
  if (!optionsOf(row).createsUsers) return { refused: 'There is no user with this address.' }
  const roles = await rolesFor(inside, provided)
  if (roles === null) return { refused: noRoles }
  const created = await addUser(inside, tenantId, await newUser(inside, { ...user, ...proven, roles }))
  await link(inside, provided, created.id)
  return { accountId: created.id }
}

/** The address that the provider has verified, in a domain that the tenant has proven. */
async function provenAddress(
  inside: Context,
  { row, user }: Provided,
): Promise<{ email: string } | { refused: string }> {
  const domain = domainOf(user, row.issuer)
  if (user.email === null || domain === null) return { refused: 'The provider gives no verified address.' }
  if (!(await isProven(inside, row.tenant_id, domain)))
    return { refused: `The domain ${domain} is not proven.` }
  return { email: user.email }
}

async function linkPresent(
  inside: Context,
  { email, ...provided }: Finding & { email: string },
  present: Account,
): Promise<FoundAccount> {
  const { row } = provided
  // A user name may look like the address of somebody else.
  if (present.email_key !== foldUserName(email))
    return { refused: 'The address is the user name of another user.' }
  if (await hasIdentity(inside.catalogue, present.id, row.issuer))
    return { refused: 'The user with this address is linked with another user of the provider.' }
  // It keeps its password for the day when the provider fails.
  if (present.id === row.break_glass_account_id && present.email_verified_at === null)
    return { refused: 'The address of the break-glass user is not verified.' }
  await link(inside, provided, present.id)
  return signInLinked(inside, provided, present.id)
}

/** An account without an active role is refused, and the roles follow the groups. */
async function signInLinked(inside: Context, provided: Finding, accountId: string): Promise<FoundAccount> {
  const { row, user } = provided
  const account = await lockActiveAccount(inside, accountId)
  if (account === null) return { refused: 'The user is deactivated.' }
  if (account.id === row.break_glass_account_id) return { accountId }
  const followsGroups = Object.keys(optionsOf(row).groupRoles).length > 0
  if (followsGroups && user.lacksGroups)
    return { refused: 'The provider leaves groups out because the user has too many.' }
  const roles = followsGroups ? await rolesFor(inside, provided) : rolesOf(account)
  if (roles === null) return { refused: noRoles }
  await removeForeignCredentials(inside, { ...provided, roles }, account)
  const isSame = roles.toSorted().join(' ') === rolesOf(account).toSorted().join(' ')
  if (!isSame) await updateUser(inside, accountId, { roles })
  return { accountId }
}

/**
 * Nobody gets rights by knowing how to sign in to an account that the provider gives to its owner: whose address nobody
 * had verified before, or who becomes an administrator.
 */
async function removeForeignCredentials(
  inside: Context,
  { roles, removal, ...provided }: Finding & { roles: string[] },
  account: Account,
): Promise<void> {
  const proven = await provenAddress(inside, provided)
  const isItsAddress = 'email' in proven && account.email_key === foldUserName(proven.email)
  const provesEmail = account.email_verified_at === null && isItsAddress
  const makesAdministrator =
    (await areOfAdministrators(inside, account.tenant_id, roles)) &&
    !(await areOfAdministrators(inside, account.tenant_id, rolesOf(account)))
  if (!provesEmail && !makesAdministrator) return
  if (!removal.isPrepared) throw new RemovalNotPrepared()
  await removeFormerCredentials(inside, account, { provesEmail })
  removal.accountId = account.id
}

const noRoles = 'No group of the user has a role.'

/** @returns `null` for a user who gets none */
async function rolesFor(inside: Context, { row, user: { groups } }: Provided): Promise<string[] | null> {
  const { defaultRoles, groupRoles } = optionsOf(row)
  const mapped = groups.flatMap((group) =>
    Object.hasOwn(groupRoles, group) ? (groupRoles[group] ?? []) : [],
  )
  const names = [...new Set(mapped.length > 0 ? mapped : defaultRoles)]
  const roles = await existingRoles(inside, row.tenant_id, names)
  return roles.length > 0 ? roles : null
}

async function link(inside: Context, { row, user }: Provided, accountId: string): Promise<void> {
  const moment = now(inside)
  await insertIdentity(inside.catalogue, {
    tenant_id: row.tenant_id,
    issuer: row.issuer,
    subject: user.subject,
    account_id: accountId,
    created_at: moment,
    last_used_at: moment,
  })
  const { issuer, tenant_id: tenantId } = row
  const detail = { issuer, subject: user.subject }
  await recordAudit(inside, {
    action: 'sso.linked',
    tenantId,
    subjectType: 'user',
    subjectId: accountId,
    detail,
  })
}

async function newUser(
  inside: Context,
  user: ProviderUser & { email: string; roles: string[] },
): Promise<HashedUser> {
  const local = user.email.split('@')[0] ?? ''
  return {
    userName: await freeUserName(inside, [user.preferredName ?? local, local, user.email]),
    email: user.email,
    firstName: user.firstName?.slice(0, maxNameLength) ?? local.slice(0, maxNameLength),
    lastName: user.lastName?.slice(0, maxNameLength) ?? '-',
    roles: user.roles,
    passwordHash: inside.shared.passwords.unusable(),
    isEmailVerified: true,
  }
}

const maxNameLength = 100
const maxUserNameLength = 50

/** The first of the wishes that is free, made of the characters of user names; a random one otherwise. */
async function freeUserName(inside: Context, wishes: readonly string[]): Promise<string> {
  for (const wish of wishes) {
    const name = wish.replaceAll(/[^A-Za-z0-9._@-]/g, '-').slice(0, maxUserNameLength)
    const isTaken = async () => (await findAccountByLogin(inside, name)) !== null
    if (name.length >= 3 && !(await isTaken())) return name
  }
  return `user-${randomBytes(8).toString('hex')}`
}
