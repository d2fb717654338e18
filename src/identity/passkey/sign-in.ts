/** Signing in with a passkey: without a password, or after it. */
import { type Context, now } from '../../core/context.ts'
import { refusal } from '../../core/errors.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { issueToken, peekToken, redeemToken, tokenPurpose } from '../one-time-token/one-time-token.ts'
import { recordOnceAMinute } from '../one-time-token/refusal.ts'
import { verifyPurpose } from '../second-factor/challenge.ts'
import type { AccessTokens } from '../session/access-token.ts'
import type { SignIn } from '../session/schema.ts'
import { issueTokens, type SignInMethod, sessionEntry, startSession } from '../session/session.ts'
import { mustUseProvider } from '../single-sign-on/configuration.ts'
import type { Account } from '../user/account.ts'
import { lockActiveAccount } from '../user/credentials.ts'
import { challengeMs, toDescriptor } from './own-passkey.ts'
import { challengeIn, library, type RelyingParty, verifyAssertion } from './relying-party.ts'
import type { PasskeySignIn } from './schema.ts'
import { findByCredential, type PasskeyRow, passkeysOf, recordUse } from './sql.ts'

const signInPurpose = tokenPurpose<object>('passkey', challengeMs)

/**
 * @param token of a sign-in with a password; without it, the reply does not depend on any user
 * @throws ServiceError `badCredentials` for a wrong token
 */
export async function beginSignIn(
  context: Context,
  { id: rpID }: RelyingParty,
  token: string | undefined,
): Promise<object> {
  const { generateAuthenticationOptions } = await library()
  const accountId = token === undefined ? null : await userOf(context, token)
  const allowed = accountId === null ? [] : await passkeysOf(context.catalogue.ofUser(accountId))
  const challenge = await inCatalogue(context, (inside) =>
    issueToken(inside, signInPurpose, { accountId, data: {} }),
  )
  return generateAuthenticationOptions({
    rpID,
    challenge: new Uint8Array(Buffer.from(challenge.token, 'base64url')),
    timeout: challengeMs,
    userVerification: accountId === null ? 'required' : 'preferred',
    allowCredentials: allowed.map(toDescriptor),
  })
}

/** @throws ServiceError `badCredentials`; `forbidden` where users sign in at the identity provider */
export async function finishSignIn(
  context: Context,
  { party, tokens }: { party: RelyingParty; tokens: AccessTokens },
  input: PasskeySignIn,
): Promise<SignIn> {
  return issueTokens(tokens, await completeWithPasskey(context, party, input, startSession))
}

type Complete<T> = (inside: Context, account: Account, methods: SignInMethod[]) => Promise<T>

/**
 * @param complete runs in a transaction in which the user is locked
 * @throws ServiceError as `finishSignIn`
 */
export async function completeWithPasskey<T extends object | string>(
  context: Context,
  party: RelyingParty,
  input: PasskeySignIn,
  complete: Complete<T>,
): Promise<T> {
  const used = await verifyUse(context, party, input)
  const completed = used === null ? null : await use(context, used, { token: input.token, complete })
  if (completed === null) {
    await recordRefusal(context)
    throw refusal('passkeyNotAccepted')
  }
  return completed
}

/** A verified use of a passkey, with the new counter of the authenticator. */
interface Use {
  passkey: PasskeyRow
  counter: number
}

/** Verifies the answer of the browser. A challenge works once, also if the answer is wrong. */
async function verifyUse(
  context: Context,
  party: RelyingParty,
  { token, response }: PasskeySignIn,
): Promise<Use | null> {
  const challenge = challengeIn(response)
  // An invented challenge causes a read, but neither a transaction nor the verification of a signature.
  if (challenge === null || (await peekToken(context, signInPurpose, challenge)) === null) return null
  const begun = await inCatalogue(context, (inside) => redeemToken(inside, signInPurpose, challenge))
  if (begun === null || !context.tenant.isActive) return null
  const passkey = await findByCredential(context.catalogue, response.id)
  if (passkey === null) return null
  const accountId = token === undefined ? null : await userOf(context, token)
  if (begun.accountId !== accountId) return null
  const { userHandle, ...signed } = response.response
  const namedUser = userHandle ? Buffer.from(userHandle, 'base64url').toString() : null
  if (!isOneUser([passkey.account_id, accountId, namedUser])) return null
  if (await mustUseProvider(context, passkey.account_id)) throw refusal('providerSignInRequired')
  const counter = await verifyAssertion(context, party, {
    response: { ...response, response: signed, clientExtensionResults: {} },
    challenge,
    credential: {
      ...toDescriptor(passkey),
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
    },
    needsVerification: accountId === null,
  })
  return counter === null ? null : { passkey, counter }
}

/** Whether all known ids are of one user. @param ids `null` for an unknown id */
function isOneUser(ids: readonly (string | null)[]): boolean {
  return new Set(ids.filter((id) => id !== null)).size === 1
}

/** Records the use, which refuses a copied passkey by its counter, and completes the sign-in. */
function use<T>(
  context: Context,
  { passkey, counter }: Use,
  { token, complete }: { token: string | undefined; complete: Complete<T> },
): Promise<T | null> {
  return inCatalogue(context, async (inside) => {
    const account = await lockActiveAccount(inside, passkey.account_id)
    if (account === null) return null
    const user = inside.catalogue.ofUser(account.id)
    const isRecorded = await recordUse(user, passkey.id, { counter, moment: now(inside) })
    if (!isRecorded) return null
    if (token === undefined) return complete(inside, account, ['passkey'])
    const isOpen = (await redeemToken(inside, verifyPurpose, token)) !== null
    return isOpen ? complete(inside, account, ['pwd', 'passkey']) : null
  })
}

/** Finds the user of a sign-in with a password. */
async function userOf(context: Context, token: string): Promise<string | null> {
  const known = await peekToken(context, verifyPurpose, token)
  if (known === null) throw refusal('signInExpired')
  return known.accountId
}

function recordRefusal(context: Context): Promise<void> {
  const entry = sessionEntry('session.refused', context.tenant.id, null, null)
  return recordOnceAMinute(context, 'passkey of a sign-in', { ...entry, detail: { methods: ['passkey'] } })
}
