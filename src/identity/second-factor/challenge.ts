/** The step of a sign-in between the right password and the session. */
import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { issueToken, tokenPurpose } from '../one-time-token/one-time-token.ts'
import type { Account } from '../user/account.ts'
import { factorsOf } from './factor.ts'

const validMs = 10 * 60_000
/** The most guesses with one token. The guesses for a user are also counted over all tokens. */
export const maxGuesses = 5

/** The purpose of a sign-in whose user has a second factor, and has to prove it. */
export const verifyPurpose = tokenPurpose<object>('mfa', validMs)
/** The purpose of a sign-in whose user has no second factor, and has to add one. */
export const enrollPurpose = tokenPurpose<object>('mfa-enroll', validMs)

/** A sign-in that is not complete. */
export class Challenge {
  readonly token: string
  /** The names of the methods, separated by commas. */
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
 * Begins the second step, inside a transaction in which the user is locked, after the password was right.
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
