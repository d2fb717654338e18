/** Which second factors a user has. */
import type { Context } from '../../core/context.ts'
import { countRecoveryCodes, deleteRecoveryCodes, findTotp } from './sql.ts'

export type FactorMethod = 'totp' | 'recovery'

/** Recovery codes are for users who have another factor. @returns none for a user without a second factor */
export async function factorsOf({ catalogue }: Context, accountId: string): Promise<FactorMethod[]> {
  const methods: FactorMethod[] = (await findTotp(catalogue, accountId, 'active')) === null ? [] : ['totp']
  if (methods.length === 0) return []
  return (await countRecoveryCodes(catalogue, accountId)) > 0 ? [...methods, 'recovery'] : methods
}

/** Inside a transaction, after a factor was removed: without any, the recovery codes are worth nothing. */
export async function removeUselessCodes(inside: Context, accountId: string): Promise<void> {
  if ((await factorsOf(inside, accountId)).length === 0)
    await deleteRecoveryCodes(inside.catalogue, accountId)
}
