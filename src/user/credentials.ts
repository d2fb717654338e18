/** A user's name and password, judged. */
import type { Context } from '../context.ts'
import { lookUpTenant } from '../tenant/lookup.ts'
import { foldUserName } from './account.ts'
import {
  type Account,
  findAccount,
  findByEmail,
  findByUserName,
  lockAccount,
  updateAccountRow,
} from './sql.ts'

export interface Credentials {
  /** The user name or the email. */
  userName: string
  password: string
}

/** Within the context's tenant. */
export async function findAccountByLogin(context: Context, login: string): Promise<Account | null> {
  const key = foldUserName(login)
  const { catalogue, tenant } = context
  return (await findByUserName(catalogue, tenant.id, key)) ?? findByEmail(catalogue, tenant.id, key)
}

/** Takes the same time for a user that does not exist (`null`) or is deactivated. */
export async function checkPassword(
  { shared }: Context,
  account: Account | null,
  password: string,
): Promise<boolean> {
  const matches = await shared.passwords.verify(password, account?.password_hash ?? null)
  return matches && account?.is_active === true
}

/** @returns `null` when the user or the user's tenant is gone or deactivated */
export async function findActiveAccount(context: Context, id: string): Promise<Account | null> {
  const account = await findAccount(context.catalogue, null, id)
  if (account === null || !account.is_active) return null
  const tenant = await lookUpTenant(context, account.tenant_id)
  return tenant?.isActive === true ? account : null
}

/**
 * Inside a transaction: hashing takes its time, so what was judged before may not hold any more.
 * @returns the user as it is now; `null` when it is gone or deactivated, or has another password
 */
export async function lockUnchanged(inside: Context, judged: Account): Promise<Account | null> {
  const account = await lockAccount(inside.catalogue, null, judged.id)
  return account?.is_active === true && account.password_hash === judged.password_hash ? account : null
}

/** @returns a new hash where the stored one was made with other parameters than today's */
export async function renewedHash(
  { shared: { passwords } }: Context,
  account: Account,
  password: string,
): Promise<string | null> {
  return passwords.needsRehash(account.password_hash) ? passwords.hash(password) : null
}

/** Inside a transaction. */
export async function storePasswordHash(inside: Context, account: Account, hash: string): Promise<void> {
  const change = { password_hash: hash, version: account.version + 1 }
  await updateAccountRow(inside.catalogue, account.id, change)
}
