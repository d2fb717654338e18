/**
 * The second step of a sign-in: a code of a factor. A user without a factor, whose tenant requires one, adds an
 * authenticator app instead.
 */
import type { Context } from '../../core/context.ts'
import { refusal, type ServiceError } from '../../core/errors.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { countGuess, peekToken, redeemToken, type TokenPurpose } from '../one-time-token/one-time-token.ts'
import { recordRefusal } from '../one-time-token/refusal.ts'
import type { AccessTokens } from '../session/access-token.ts'
import type { SignIn } from '../session/schema.ts'
import { issueTokens, type SignInMethod, startSession } from '../session/session.ts'
import type { Account } from '../user/account.ts'
import { lockActiveAccount } from '../user/credentials.ts'
import { activate, begin, wrongCodeOfNewApp } from './authenticator-app.ts'
import { enrollPurpose, maxGuesses, verifyPurpose } from './challenge.ts'
import { refuseGuessing, useCode } from './code.ts'
import { factorsOf } from './factor.ts'
import type { EnrolledSignIn, MfaEnrollmentConfirmation, MfaVerification, TotpSecret } from './schema.ts'

/**
 * Returned by a transaction for a wrong code. It must not throw, because the count of
 * wrong codes has to be committed.
 */
const wrong = Symbol('wrong code')

/** @throws ServiceError `badCredentials` for a wrong code or token, `tooManyRequests` after several wrong codes */
export async function verifySecondFactor(
  context: Context,
  tokens: AccessTokens,
  input: MfaVerification,
): Promise<SignIn> {
  const started = await completeWithCode(context, input, startSession)
  return issueTokens(tokens, started)
}

/**
 * @param complete runs in a transaction in which the user is locked
 * @throws ServiceError as `verifySecondFactor`
 */
export async function completeWithCode<T extends object | string>(
  context: Context,
  { token, ...given }: MfaVerification,
  complete: (inside: Context, account: Account, methods: SignInMethod[]) => Promise<T>,
): Promise<T> {
  const completed = await withToken(context, verifyPurpose, token, async (inside, account) => {
    await refuseGuessing(inside, account)
    if (!(await countGuess(inside, verifyPurpose, { token, allowed: maxGuesses }))) return null
    const method = await useCode(inside, account, given)
    if (method === null) return wrong
    await redeemToken(inside, verifyPurpose, token)
    return complete(inside, account, ['pwd', method === 'totp' ? 'otp' : 'recovery'])
  })
  if (completed === null) throw hasExpired()
  if (completed === wrong) throw refusal('wrongCode')
  return completed
}

/** @throws ServiceError `badCredentials` for a wrong token */
export async function beginEnrollment(context: Context, token: string): Promise<TotpSecret> {
  const secret = await withToken(context, enrollPurpose, token, async (inside, account) =>
    (await canEnroll(inside, account)) ? begin(inside, account) : null,
  )
  if (secret === null) throw hasExpired()
  return secret
}

/** @throws ServiceError `badCredentials` for a wrong token, `invalid` for a wrong code */
export async function confirmEnrollment(
  context: Context,
  tokens: AccessTokens,
  input: MfaEnrollmentConfirmation,
): Promise<EnrolledSignIn> {
  const { result, recoveryCodes } = await completeEnrollment(context, input, startSession)
  return { ...(await issueTokens(tokens, result)), recoveryCodes }
}

/**
 * @param complete runs in a transaction in which the user is locked
 * @throws ServiceError as `confirmEnrollment`
 */
export async function completeEnrollment<T extends object | string>(
  context: Context,
  { token, code }: MfaEnrollmentConfirmation,
  complete: (inside: Context, account: Account, methods: SignInMethod[]) => Promise<T>,
): Promise<{ result: T; recoveryCodes: string[] }> {
  const enrolled = await withToken<{ result: T; recoveryCodes: string[] } | typeof wrong>(
    context,
    enrollPurpose,
    token,
    async (inside, account) => {
      if (!(await canEnroll(inside, account))) return null
      if (!(await countGuess(inside, enrollPurpose, { token, allowed: maxGuesses }))) return null
      const recoveryCodes = await activate(inside, account, code)
      if (recoveryCodes === null) return wrong
      await redeemToken(inside, enrollPurpose, token)
      return { result: await complete(inside, account, ['pwd', 'otp']), recoveryCodes }
    },
  )
  if (enrolled === null) throw hasExpired()
  if (enrolled === wrong) throw wrongCodeOfNewApp()
  return enrolled
}

/**
 * Runs the work in a transaction in which the user of the token is locked. Requests with
 * one token run one after the other.
 * @returns `null` for an invalid token, or a user who is deleted or deactivated
 */
async function withToken<T>(
  context: Context,
  purpose: TokenPurpose<object>,
  token: string,
  work: (inside: Context, account: Account) => Promise<T | null>,
): Promise<T | null> {
  // An invented token causes a read, but no transaction.
  const known = await peekToken(context, purpose, token)
  if (known === null) await recordRefusal(context, purpose)
  if (known === null || !context.tenant.isActive) return null
  return inCatalogue(context, async (inside) => {
    const account = await lockActiveAccount(inside, known.accountId ?? '')
    if (account === null || (await peekToken(inside, purpose, token)) === null) return null
    return work(inside, account)
  })
}

/** A user who has added a second factor in the meantime must use it: the password does not suffice to add another. */
async function canEnroll(inside: Context, { id }: Account): Promise<boolean> {
  return (await factorsOf(inside, id)).length === 0
}

function hasExpired(): ServiceError {
  return refusal('signInExpired')
}
