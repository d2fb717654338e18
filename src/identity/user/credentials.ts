/** Checks user names and passwords. */
import { type Context, now, type Shared } from '../../core/context.ts'
import { atHome } from '../../core/create-context.ts'
import { ServiceError } from '../../core/errors.ts'
import { callerPaths } from '../../core/limits/caller.ts'
import type { HashOrigin, PasswordMatch } from '../../core/passwords.ts'
import { lookUpTenant } from '../../core/tenant/directory.ts'
import { inCatalogue } from '../../core/transaction.ts'
import type { CatalogueData } from '../../database/data.ts'
import { maxPasswordCost } from '../password/argon2.ts'
import type { SignInBackoff } from '../session/backoff.ts'
import { foldUserName, refuseDuplicates } from './account.ts'
import { claimNames } from './sign-in-name.ts'
import { signedIn } from './signed-in.ts'
import {
  type Account,
  accountPage,
  findAccount,
  findBySignInName,
  lockAccount,
  updateAccountRow,
} from './sql.ts'

export interface Credentials {
  /** The user name or the email that was typed. */
  userName: string
  password: string
}

/** Finds an account of the context's tenant by its user name or its email. */
export async function findAccountByLogin(context: Context, login: string): Promise<Account | null> {
  return findBySignInName(context.catalogue, foldUserName(login))
}

/**
 * Takes the same time for a user that does not exist (`null`) or is deactivated.
 * @returns `null` for a wrong password
 * @throws ServiceError `overloaded`
 */
export async function checkPassword(
  context: Context,
  account: Account | null,
  password: string,
  origin: HashOrigin = originOf(context),
): Promise<PasswordMatch | null> {
  const { log, passwords } = context.shared
  if (account !== null && !passwords.accepts(account.password_hash))
    log.warn({ userId: account.id }, 'password hash not accepted: the user needs a new password')
  const match = await passwords.verify(password, account?.password_hash ?? null, origin)
  return account?.is_active === true ? match : null
}

/**
 * Checks the password of the actor. All such checks count together.
 * @param backoff limits guessing of the password with a stolen token
 * @returns the user; `null` when the password is wrong, or the user is not active any more
 * @throws ServiceError `tooManyRequests` after several failures, `overloaded`
 */
export async function checkOwnPassword(
  context: Context,
  backoff: SignInBackoff,
  password: string,
): Promise<Account | null> {
  const { id } = signedIn(context)
  const account = await findActiveAccount(atHome(context), id)
  const match = await backoff.attempt({ network: `password:${id}`, newNetworks: null }, async () =>
    account === null ? null : await checkPassword(context, account, password),
  )
  return match === null ? null : account
}

/**
 * Finds an account of the tenant that the context reaches.
 * @returns `null` when the user or its tenant does not exist or is deactivated
 */
export async function findActiveAccount(context: Context, id: string): Promise<Account | null> {
  const account = await findAccount(context.catalogue, id)
  if (account === null || !account.is_active) return null
  const tenant = await lookUpTenant(context, account.tenant_id)
  return tenant?.isActive === true ? account : null
}

/**
 * Locks a user that may have changed while its password was hashed, inside a transaction.
 * @returns the current user; `null` when it was deleted or deactivated, or its password has changed
 */
export async function lockUnchanged(inside: Context, verified: Account): Promise<Account | null> {
  const account = await lockActiveAccount(inside, verified.id)
  return account?.password_hash === verified.password_hash ? account : null
}

/**
 * Locks a user of the context's tenant, inside a transaction.
 * @returns `null` if it does not exist or is deactivated
 */
export async function lockActiveAccount(inside: Context, id: string): Promise<Account | null> {
  const account = await lockAccount(inside.catalogue, id)
  return account?.is_active === true ? account : null
}

/**
 * Checks all users of a tenant in the catalogue of an archive.
 * @throws ServiceError `invalid` for a password hash that is too costly or of another algorithm
 */
export async function refuseForeignHashes({ passwords }: Shared, catalogue: CatalogueData): Promise<void> {
  for (let after = ''; ; ) {
    const page = await accountPage(catalogue, { after, limit: pageSize })
    const refused = page.find(({ password_hash }) => !passwords.accepts(password_hash))
    if (refused !== undefined) {
      const text = `The password hash of the user ${refused.id} has other parameters than are accepted here`
      throw new ServiceError('invalid', `${text}: argon2id, at most ${maxPasswordCost.memory} KiB of memory.`)
    }
    const last = page.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

const pageSize = 500

/** Hashes the password again in the background, if the stored hash has other parameters or was not normalized. */
export function renewHash(context: Context, account: Account, password: string, match: PasswordMatch): void {
  const { passwords } = context.shared
  if (match === 'current' && !passwords.needsRehash(account.password_hash)) return
  passwords.hashWhenIdle(password, (hash) =>
    inCatalogue(context, async (inside) => {
      const user = await lockUnchanged(inside, account)
      if (user !== null) await storePasswordHash(inside, user, hash)
    }),
  )
}

/**
 * Stores a hash, inside a transaction.
 * @param provesEmail whether the address becomes verified as well: by the mail that led here, or by the provider
 */
export async function storePasswordHash(
  inside: Context,
  account: Account,
  hash: string,
  { provesEmail = false } = {},
): Promise<void> {
  const change = {
    password_hash: hash,
    version: account.version + 1,
    ...(provesEmail && { email_verified_at: now(inside) }),
  }
  await updateAccountRow(inside.catalogue, account.id, change)
}

/**
 * Stores an address whose mails the user reads, inside a transaction. It may be the present address.
 * @throws ServiceError `invalid` for an address that is taken
 */
export async function storeVerifiedEmail(inside: Context, account: Account, email: string): Promise<void> {
  const change = {
    email,
    email_key: foldUserName(email),
    email_verified_at: now(inside),
    version: account.version + 1,
  }
  await refuseDuplicates(updateAccountRow(inside.catalogue, account.id, change))
  await claimNames(inside, account, { ...account, ...change })
}

/**
 * @returns who causes a hash, by whom the queue of hashes takes turns. A request without a session counts as a
 *   stranger, also if its route acts as the operator
 * @param isKnown whether the account was used from this network before
 */
export function originOf({ actor, clientAddress, signal, tenant }: Context, isKnown = false): HashOrigin {
  const user = actor?.credential.kind === 'session' ? actor : null
  return { paths: callerPaths(tenant.id, user, clientAddress ?? '', isKnown), signal }
}
