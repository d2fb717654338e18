/** Finds, links or creates the user that a provider has signed in. */
import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, now } from '../../core/context.ts'
import { tenantContext } from '../../core/create-context.ts'
import { ServiceError } from '../../core/errors.ts'
import { userOwner } from '../../core/owner.ts'
import { withTenantDatabase } from '../../core/tenant/with-database.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { areOfAdministrators } from '../role/administrator.ts'
import { existingRoles } from '../role/grant.ts'
import { type Account, foldUserName, rolesOf, userEntry } from '../user/account.ts'
import { findAccountByLogin, lockActiveAccount } from '../user/credentials.ts'
import { isLastAdmin } from '../user/required-administrator.ts'
import { addUser, changeUser } from '../user/user.ts'
import { optionsOf } from './configuration.ts'
import { removeFormerCredentials } from './former-credential.ts'
import { changedProfile, newUser, type Provided, provenAddress } from './profile.ts'
import { hasIdentity, insertIdentity, useIdentity } from './sql.ts'

/** The id of the account, or the reason why the user may not sign in, for the audit. */
export type FoundAccount = { accountId: string } | { refused: string }

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
  const { shared, tenant } = context
  return withTenantDatabase(shared, tenant, async (database) => {
    const inside = tenantContext(shared, tenant, database)
    const removal: Removal = { isPrepared: true, accountId: null }
    const found = await findAgain(removal)
    // This follows the commit, which ended the sessions. Nobody with the former credentials can create anything now.
    if (removal.accountId !== null) await pauseOwned(inside, userOwner(removal.accountId))
    return found
  })
}

/** The removal of credentials that somebody else may have set. */
interface Removal {
  /** Whether the database of the tenant is open, which the removal also requires: no transaction waits for it. */
  isPrepared: boolean
  /** The user whose credentials were removed. */
  accountId: string | null
}

/** Thrown to roll back, so that the transaction runs again with the database of the tenant. */
class RemovalNotPrepared extends Error {}

type Finding = Provided & { removal: Removal }

async function findOrCreate(inside: Context, provided: Finding): Promise<FoundAccount> {
  const { row, user, removal } = provided
  removal.accountId = null // an attempt before, which was rolled back, may have set it
  const key = { issuer: row.issuer, subject: user.subject }
  const accountId = await useIdentity(inside.catalogue, key, now(inside))
  if (accountId !== null) return signInLinked(inside, provided, accountId)
  const proven = await provenAddress(inside, provided)
  if ('refused' in proven) return proven
  const present = await findAccountByLogin(inside, proven.email)
  if (present !== null) {
    // A simultaneous first sign-in of the same user may have created and linked the account in the meantime.
    const linked = await useIdentity(inside.catalogue, key, now(inside))
    if (linked !== null) return signInLinked(inside, provided, linked)
    return linkPresent(inside, { ...provided, ...proven }, present)
  }
  if (!optionsOf(row).createsUsers) return { refused: 'There is no user with this address.' }
  const roles = await rolesFor(inside, provided)
  if (roles === null) return { refused: noRoles }
  const created = await addUser(
    inside,
    await newUser(inside, { ...user, ...proven, roles, attributes: provided.attributes }),
  )
  await link(inside, provided, created.id)
  return { accountId: created.id }
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
  if (await hasIdentity(inside.catalogue.ofUser(present.id), row.issuer))
    return { refused: 'The user with this address is linked with another user of the provider.' }
  // The break-glass user keeps its password, for the case that the provider fails.
  if (present.id === row.break_glass_account_id && present.email_verified_at === null)
    return { refused: 'The address of the break-glass user is not verified.' }
  await link(inside, provided, present.id)
  return signInLinked(inside, provided, present.id)
}

/**
 * Signs a linked user in. Its roles, names and address are updated to what the provider
 * says; without a role it is refused.
 */
async function signInLinked(inside: Context, provided: Finding, accountId: string): Promise<FoundAccount> {
  const { row } = provided
  const account = await lockActiveAccount(inside, accountId)
  if (account === null) return { refused: 'The user is deactivated.' }
  if (account.id === row.break_glass_account_id) return { accountId }
  const roles = await rolesAfter(inside, provided, account)
  if ('refused' in roles) return roles
  await removeForeignCredentials(inside, { ...provided, roles: roles.names }, account)
  const isSame = roles.names.toSorted().join(' ') === rolesOf(account).toSorted().join(' ')
  const change = {
    ...(await changedProfile(inside, provided, account)),
    ...(!isSame && { roles: roles.names }),
  }
  if (Object.keys(change).length > 0) await changeUser(inside, accountId, change, { isEmailVerified: true })
  if (change.email !== undefined) {
    const detail = { from: account.email, to: change.email, by: row.issuer }
    await recordAudit(inside, userEntry('user.emailChanged', account, detail))
  }
  return { accountId }
}

/** @returns the roles of a known user; the present ones if the provider gives no groups */
async function rolesAfter(
  inside: Context,
  provided: Provided,
  account: Account,
): Promise<{ names: string[] } | { refused: string }> {
  const { groupRoles, groupsClaim } = optionsOf(provided.row)
  const present = rolesOf(account)
  if (Object.keys(groupRoles).length === 0) return { names: present }
  if (provided.user.lacksGroups)
    return { refused: 'The provider leaves groups out because the user has too many.' }
  const keep = async (reason: string) => {
    await recordAudit(inside, userEntry('sso.rolesKept', account, { reason, roles: present.join(' ') }))
    return { names: present }
  }
  if (provided.user.groups === null)
    return keep(`Neither the ID token nor the user information has groups in the claim ${groupsClaim}.`)
  const names = await rolesFor(inside, provided)
  if (names?.includes('Admin') !== true && (await isLastAdmin(inside, account)))
    return keep('The groups take the role Admin from the last active administrator of the tenant.')
  if (names === null) return { refused: noRoles }
  return { names }
}

/**
 * Removes credentials that somebody else may have set, if the account gains by this sign-in: its address is
 * verified for the first time, or the user becomes an administrator.
 */
async function removeForeignCredentials(
  inside: Context,
  { roles, removal, ...provided }: Finding & { roles: string[] },
  account: Account,
): Promise<void> {
  const proven = await provenAddress(inside, provided)
  // If the provider gives another address, it replaces that of the account, and is verified as well.
  const provesEmail = account.email_verified_at === null && 'email' in proven
  const makesAdministrator =
    (await areOfAdministrators(inside, roles)) && !(await areOfAdministrators(inside, rolesOf(account)))
  if (!provesEmail && !makesAdministrator) return
  if (!removal.isPrepared) throw new RemovalNotPrepared()
  await removeFormerCredentials(inside, account, { provesEmail })
  removal.accountId = account.id
}

const noRoles = 'No group of the user has a role.'

/** @returns the roles for the groups of the user, or the default roles; `null` if none of them exists */
async function rolesFor(inside: Context, { row, user: { groups } }: Provided): Promise<string[] | null> {
  const { defaultRoles, groupRoles } = optionsOf(row)
  const mapped = (groups ?? []).flatMap((group) =>
    Object.hasOwn(groupRoles, group) ? (groupRoles[group] ?? []) : [],
  )
  const names = [...new Set(mapped.length > 0 ? mapped : defaultRoles)]
  const roles = await existingRoles(inside, names)
  return roles.length > 0 ? roles : null
}

async function link(inside: Context, { row, user }: Provided, accountId: string): Promise<void> {
  const moment = now(inside)
  await insertIdentity(inside.catalogue.ofUser(accountId), {
    issuer: row.issuer,
    subject: user.subject,
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
