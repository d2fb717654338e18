import type { Context } from '../../core/context.ts'
import { removePasskeys } from '../passkey/registered.ts'
import { type FactorMethod, factorsOf } from './factor.ts'
import { deleteRecoveryCodes, deleteTotp, deleteWrongCodes } from './sql.ts'

/** Removes all second factors, inside a transaction that has locked the user. @returns which ones the user had */
export async function removeFactors(inside: Context, accountId: string): Promise<FactorMethod[]> {
  const user = inside.catalogue.ofUser(accountId)
  const methods = await factorsOf(inside, accountId)
  await deleteTotp(user)
  await removePasskeys(user)
  await deleteRecoveryCodes(user)
  await deleteWrongCodes(user)
  return methods
}
