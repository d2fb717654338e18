/** A user's name and password, judged. */
import type { Context } from '../context.ts'
import type { HashOrigin } from '../hashing/hash-queue.ts'
import { originOf } from '../hashing/origin.ts'
import { lookUpTenant } from '../tenant/lookup.ts'
import { inCatalogue } from '../transaction.ts'
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

/**
 * Takes the same time for a user that does not exist (`null`) or is deactivated.
 * @throws ServiceError `overloaded`
 */
export async function checkPassword(
  context: Context,
  account: Account | null,
  password: string,
  origin: HashOrigin = originOf(context),
): Promise<boolean> {
  const { passwords } = context.shared
  const matches = await passwords.verify(password, account?.password_hash ?? null, origin)
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

/** Hashes the password again when the stored hash was made with other parameters than today's. Nobody waits for it. */
export function renewHash(context: Context, account: Account, password: string): void {
  const { passwords } = context.shared
  if (!passwords.needsRehash(account.password_hash)) return
  passwords.hashWhenIdle(password, (hash) =>
    inCatalogue(context, async (inside) => {
      const user = await lockUnchanged(inside, account)
      if (user !== null) await storePasswordHash(inside, user, hash)
    }),
  )
}

/** Inside a transaction. */
export async function storePasswordHash(inside: Context, account: Account, hash: string): Promise<void> {
  const change = { password_hash: hash, version: account.version + 1 }
  await updateAccountRow(inside.catalogue, account.id, change)
}
