/** Finds, links or creates the user that a provider has signed in. */
import { randomBytes } from 'node:crypto'
import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, now } from '../../core/context.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { existingRoles } from '../role/grant.ts'
import { foldUserName, rolesOf } from '../user/account.ts'
import { findAccountByLogin, lockActiveAccount, originOf } from '../user/credentials.ts'
import { addUser, type HashedUser, updateUser } from '../user/user.ts'
import { domainOf, type ProviderUser } from './claims.ts'
import { optionsOf } from './configuration.ts'
import { isProven } from './domain.ts'
import { hasIdentity, type IdentityProviderRow, insertIdentity, useIdentity } from './sql.ts'

/** Why a user may not sign in, for the audit, or the id of the account. */
export type FoundAccount = { accountId: string } | { refused: string }

/** @param context with the rights of the operator */
export async function accountFor(
  context: Context,
  row: IdentityProviderRow,
  user: ProviderUser,
): Promise<FoundAccount> {
  const known = await inCatalogue(context, (inside) => signInKnown(inside, row, user))
  if (!('unknown' in known)) return known
  const passwordHash = await context.shared.passwords.hash(unguessable(), originOf(context))
  // The provider says that the address is verified, and its domain is proven.
  const hashed = { ...known.unknown, passwordHash, isEmailVerified: true }
  return inCatalogue(context, (inside) => create(inside, { row, user }, hashed))
}

type NewUser = Omit<HashedUser, 'passwordHash'>

async function signInKnown(
  inside: Context,
  row: IdentityProviderRow,
  user: ProviderUser,
): Promise<FoundAccount | { unknown: NewUser }> {
  const { tenant_id: tenantId, issuer } = row
  const key = { tenantId, issuer, subject: user.subject }
  const accountId = await useIdentity(inside.catalogue, key, now(inside))
  if (accountId !== null) return signInLinked(inside, { row, user }, accountId)
  const domain = domainOf(user, issuer)
  if (user.email === null || domain === null) return { refused: 'The provider gives no verified address.' }
  if (!(await isProven(inside, tenantId, domain))) return { refused: `The domain ${domain} is not proven.` }
  const present = await findAccountByLogin(inside, user.email)
  if (present !== null) {
    // A user name may look like the address of somebody else.
    if (present.email_key !== foldUserName(user.email))
      return { refused: 'The address is the user name of another user.' }
    if (await hasIdentity(inside.catalogue, present.id, issuer))
      return { refused: 'The user with this address is linked with another user of the provider.' }
    await link(inside, { row, user }, present.id)
    return signInLinked(inside, { row, user }, present.id)
  }
  const options = optionsOf(row)
  if (!options.createsUsers) return { refused: 'There is no user with this address.' }
  const roles = await rolesFor(inside, row, user)
  if (roles === null) return { refused: noRoles }
  return { unknown: await newUser(inside, { ...user, email: user.email, roles }) }
}

/** An account without an active role is refused, and the roles follow the groups. */
async function signInLinked(
  inside: Context,
  { row, user }: { row: IdentityProviderRow; user: ProviderUser },
  accountId: string,
): Promise<FoundAccount> {
  const account = await lockActiveAccount(inside, accountId)
  if (account === null) return { refused: 'The user is deactivated.' }
  const followsGroups = Object.keys(optionsOf(row).groupRoles).length > 0
  if (!followsGroups || account.id === row.break_glass_account_id) return { accountId }
  if (user.lacksGroups) return { refused: 'The provider leaves groups out because the user has too many.' }
  const roles = await rolesFor(inside, row, user)
  if (roles === null) return { refused: noRoles }
  const isSame = roles.toSorted().join(' ') === rolesOf(account).toSorted().join(' ')
  if (!isSame) await updateUser(inside, accountId, { roles })
  return { accountId }
}

const noRoles = 'No group of the user has a role.'

/** @returns `null` for a user who gets none */
async function rolesFor(
  inside: Context,
  row: IdentityProviderRow,
  { groups }: ProviderUser,
): Promise<string[] | null> {
  const { defaultRoles, groupRoles } = optionsOf(row)
  const mapped = groups.flatMap((group) =>
    Object.hasOwn(groupRoles, group) ? (groupRoles[group] ?? []) : [],
  )
  const names = [...new Set(mapped.length > 0 ? mapped : defaultRoles)]
  const roles = await existingRoles(inside, row.tenant_id, names)
  return roles.length > 0 ? roles : null
}

async function create(
  inside: Context,
  { row, user }: { row: IdentityProviderRow; user: ProviderUser },
  hashed: HashedUser,
): Promise<FoundAccount> {
  // A simultaneous sign-in of the same user may have been first.
  const known = await signInKnown(inside, row, user)
  if (!('unknown' in known)) return known
  const { id: accountId } = await addUser(inside, row.tenant_id, hashed)
  await link(inside, { row, user }, accountId)
  return { accountId }
}

async function link(
  inside: Context,
  { row, user }: { row: IdentityProviderRow; user: ProviderUser },
  accountId: string,
): Promise<void> {
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
): Promise<NewUser> {
  const local = user.email.split('@')[0] ?? ''
  return {
    userName: await freeUserName(inside, [user.preferredName ?? local, local, user.email]),
    email: user.email,
    firstName: user.firstName?.slice(0, maxNameLength) ?? local.slice(0, maxNameLength),
    lastName: user.lastName?.slice(0, maxNameLength) ?? '-',
    roles: user.roles,
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

/** Nobody knows this password: the user signs in at the provider. */
function unguessable(): string {
  return `Aa1!${randomBytes(32).toString('base64url')}`
}
