/**
 * Completes a sign-in on a page for the application that has sent the browser there. The browser
 * returns with a code, and the application exchanges the code for a session, as in the authorization
 * code flow with PKCE (RFC 6749, RFC 7636).
 */
import { basePathOf, withoutBasePath } from '../../core/base-path.ts'
import type { Context } from '../../core/context.ts'
import { invalidField, refusal } from '../../core/errors.ts'
import { originOf } from '../../core/host.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { codeChallengeOf } from '../code-challenge.ts'
import {
  issueToken,
  peekToken,
  redeemToken,
  tokenPurpose,
  withdrawTokens,
} from '../one-time-token/one-time-token.ts'
import { recordRefusal } from '../one-time-token/refusal.ts'
import type { AccessTokens } from '../session/access-token.ts'
import type { SignIn } from '../session/schema.ts'
import { issueTokens, type SignInMethod, type StartedSession, startSession } from '../session/session.ts'
import { keepProviderSession, type ProviderSignIn } from '../single-sign-on/provider-session.ts'
import { lockActiveAccount } from '../user/credentials.ts'
import type { CodeExchange } from './schema.ts'

/** Where a sign-in may return. */
export interface ReturnOptions {
  baseUrl: string
  /** Origins of applications. */
  origins: readonly string[]
}

interface SignInResult {
  codeChallenge: string
  methods: SignInMethod[]
  provider?: ProviderSignIn
}

/**
 * The address is a part of the `state` in the address of an identity provider, which
 * must be below 2 000 characters.
 */
const maxReturnLength = 1000

const codePurpose = tokenPurpose<SignInResult>('sign-in-code', 60_000)

/**
 * Checks an address to which a sign-in returns. Allowed is a path of this service, with the path of `BASE_URL` or
 * without it, or an address of an application that the operator allows.
 * @throws ServiceError `invalid` for another address
 */
export function returnAddress({ baseUrl, origins }: ReturnOptions, returnTo: string): URL {
  const own = new URL(baseUrl).origin
  const url = URL.parse(returnTo, own)
  const origin = url === null ? null : originOf(url.href)
  const isAllowed = origin !== null && [own, ...origins].some((each) => originOf(each) === origin)
  if (url === null || !isAllowed || url.username !== '' || url.password !== '')
    throw invalidField(
      'returnTo',
      'must be a path of this service, or have an origin of CORS_ORIGINS',
      'badPattern',
    )
  if (url.href.length > maxReturnLength)
    throw invalidField('returnTo', `must have at most ${maxReturnLength} characters, percent-encoded`, {
      code: 'tooLong',
      parameters: { limit: maxReturnLength },
    })
  const isPath = !URL.canParse(returnTo) && url.origin === own // `//host/path` names another origin
  if (isPath) url.pathname = belowBasePath(url.pathname, basePathOf(baseUrl))
  return url
}

/** @throws ServiceError like `returnAddress` */
export function requireReturn(options: ReturnOptions, returnTo: string | undefined): void {
  if (returnTo !== undefined) returnAddress(options, returnTo)
}

/** A path of the service may be given with the path of `BASE_URL` or without it. */
function belowBasePath(path: string, basePath: string): string {
  const isBelow = basePath === '' || withoutBasePath(path, basePath) !== path
  return isBelow ? path : `${basePath}${path}`
}

/** Issues a code inside a transaction, after the user has signed in. @returns the code, valid for one minute */
export async function issueCode(inside: Context, accountId: string, data: SignInResult): Promise<string> {
  const { token } = await issueToken(inside, codePurpose, { accountId, data })
  return token
}

/** Withdraws the codes of the user that no application has exchanged, inside a transaction. */
export function withdrawCodes(inside: Context, accountId: string): Promise<void> {
  return withdrawTokens(inside, accountId, codePurpose)
}

/** @throws ServiceError `badCredentials` for a code that is unknown, used, expired, or of another browser */
export async function exchangeCode(
  context: Context,
  tokens: AccessTokens,
  { code, codeVerifier }: CodeExchange,
): Promise<SignIn> {
  // An invented code causes a read, but no transaction.
  const known = await peekToken(context, codePurpose, code)
  const started = known === null ? null : await start(context, { code, codeVerifier })
  if (started === null) {
    await recordRefusal(context, codePurpose)
    throw refusal('signInExpired')
  }
  return issueTokens(tokens, started)
}

/** @returns `null` for a code that `exchangeCode` refuses, and for a user who was deactivated meanwhile */
function start(context: Context, { code, codeVerifier }: CodeExchange): Promise<StartedSession | null> {
  return inCatalogue(context, async (inside) => {
    const result = await redeemToken(inside, codePurpose, code)
    if (result === null || result.data.codeChallenge !== codeChallengeOf(codeVerifier)) return null
    const account = await lockActiveAccount(inside, result.accountId ?? '')
    if (account === null) return null
    const session = await startSession(inside, account, result.data.methods)
    const { provider } = result.data
    if (provider !== undefined) await keepProviderSession(inside, session.sessionId, provider)
    return session
  })
}
