/** Finds out which second factors a user has. */
import type { Context } from '../../core/context.ts'
import { refusal } from '../../core/errors.ts'
import { countPasskeys } from '../passkey/registered.ts'
import { countRecoveryCodes, deleteRecoveryCodes, findTotp } from './sql.ts'

export type FactorMethod = 'totp' | 'recovery' | 'passkey'

/** Recovery codes count only beside another factor. @returns an empty list for a user without a second factor */
export async function factorsOf(context: Context, accountId: string): Promise<FactorMethod[]> {
  const user = context.catalogue.ofUser(accountId)
  const hasApp = (await findTotp(user, 'active')) !== null
  const hasPasskey = (await countPasskeys(user)) > 0
  if (!hasApp && !hasPasskey) return []
  const hasCodes = (await countRecoveryCodes(user)) > 0
  const has = { totp: hasApp, recovery: hasCodes, passkey: hasPasskey }
  return (['totp', 'recovery', 'passkey'] as const).filter((method) => has[method])
}

/** Removes the recovery codes of a user without another factor, inside a transaction, after a factor was removed. */
export async function removeUselessCodes(inside: Context, accountId: string): Promise<void> {
  if ((await factorsOf(inside, accountId)).length === 0)
    await deleteRecoveryCodes(inside.catalogue.ofUser(accountId))
}

/**
 * To be called inside a transaction, after a factor was removed.
 * @throws ServiceError `invalid` if it was the last one
 */
export async function refuseWithoutFactor(inside: Context, accountId: string): Promise<void> {
  if ((await factorsOf(inside, accountId)).length === 0) throw refusal('secondFactorKept')
}
