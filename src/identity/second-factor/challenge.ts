/** The step of a sign-in between the right password and the session. */
import { Type } from 'typebox'
import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { tenantSetting } from '../../core/tenant/settings/cache.ts'
import { setting } from '../../core/tenant/settings/setting.ts'
import { DatabaseUnavailable } from '../../database/executor.ts'
import { issueToken, tokenPurpose } from '../one-time-token/one-time-token.ts'
import type { Account } from '../user/account.ts'
import { factorsOf } from './factor.ts'

export const requireSecondFactor = setting(
  Type.Boolean({
    description:
      'Whether users who sign in with a password need a second factor. They add one at their next sign-in',
  }),
  { default: false },
)

const validMs = 10 * 60_000
/** Guesses of one token. Those of the user are counted as well, over all tokens. */
export const maxGuesses = 5

/** The user has a factor, and has to prove it. */
export const verifyPurpose = tokenPurpose<object>('mfa', validMs)
/** The user has none, and has to add one. */
export const enrollPurpose = tokenPurpose<object>('mfa-enroll', validMs)

/** A sign-in that is not complete. */
export class Challenge {
  readonly token: string
  /** Comma-separated. */
  readonly methods: string

  constructor(token: string, methods: readonly string[]) {
    this.token = token
    this.methods = methods.join(',')
  }

  toError(): ServiceError {
    const headers = { 'x-mfa-token': this.token, 'x-mfa-methods': this.methods }
    return new ServiceError('secondFactorRequired', undefined, { headers })
  }
}

/**
 * Whether users of the context's tenant need a second factor. To be called outside transactions.
 *
 * `false` while the tenant's own database cannot be reached, so that users can sign in: whoever has a factor is asked for
 * it nevertheless, and whoever has none could add one with the password alone.
 */
export async function needsSecondFactor(context: Context): Promise<boolean> {
  try {
    return await tenantSetting(context, requireSecondFactor)
  } catch (error) {
    const isAway =
      error instanceof DatabaseUnavailable || (error instanceof ServiceError && error.kind === 'unavailable')
    if (!isAway || !context.tenant.hasOwnDatabase) throw error
    return false
  }
}

/**
 * Inside a transaction in which the user is locked, after the password.
 * @param isRequired what `needsSecondFactor` has returned
 * @returns `null` for a user who needs no second factor
 */
export async function challengeFor(
  inside: Context,
  { id: accountId }: Account,
  isRequired: boolean,
): Promise<Challenge | null> {
  const methods = await factorsOf(inside, accountId)
  if (methods.length === 0 && !isRequired) return null
  const purpose = methods.length === 0 ? enrollPurpose : verifyPurpose
  const { token } = await issueToken(inside, purpose, { accountId, data: {} })
  return new Challenge(token, methods.length === 0 ? ['enroll'] : methods)
}
