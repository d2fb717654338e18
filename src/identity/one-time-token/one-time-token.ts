/** Tokens that are used once: in links of mails, and between the steps of a sign-in. Only their digests are stored. */

import { hash, randomBytes } from 'node:crypto'
import { type Context, now } from '../../core/context.ts'
import { defined } from '../../core/defined.ts'
import { invalidField, type ServiceError } from '../../core/errors.ts'
import { expiryJob } from '../../core/expiry.ts'
import {
  addFailure,
  deleteTokensOf,
  expiringTokens,
  findToken,
  insertNewToken,
  insertToken,
  type OneTimeTokenRow,
  type TokenKey,
  takeToken,
} from './sql.ts'

/** What a token is for. Its data is a JSON object. */
export interface TokenPurpose<D extends object> {
  readonly name: string
  readonly validMs: number
  /** Never has a value: it only gives the data of tokens a type. */
  readonly data?: D
}

export interface OneTimeToken<D extends object> {
  /** The user that the token is for; `null` if the user does not exist yet. */
  accountId: string | null
  data: D
  /** ISO 8601 */
  createdAt: string
  expiresAt: string
}

export function tokenPurpose<D extends object>(name: string, validMs: number): TokenPurpose<D> {
  return { name, validMs }
}

/**
 * Issues a token, inside a transaction. Earlier tokens stay valid: `withdrawTokens` ends them.
 * @returns the token, which is not stored: 256 random bits as 43 characters of base64url
 */
export async function issueToken<D extends object>(
  inside: Context,
  purpose: TokenPurpose<D>,
  { accountId, data }: { accountId: string | null; data: D },
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(inside.shared.clock().getTime() + purpose.validMs)
  await insertToken(inside.catalogue, {
    hash: hashOf(token),
    purpose: purpose.name,
    account_id: accountId,
    data: JSON.stringify(data),
    failures: 0,
    created_at: now(inside),
    expires_at: expiresAt.toISOString(),
  })
  return { token, expiresAt }
}

/** @returns `null` for a token that is unknown, used, expired, for another purpose or of another tenant */
export async function peekToken<D extends object>(
  context: Context,
  purpose: TokenPurpose<D>,
  token: string,
): Promise<OneTimeToken<D> | null> {
  return toToken(await findToken(context.catalogue, keyOf(context, purpose, token)))
}

/** Uses the token, inside a transaction. Only one of several simultaneous callers gets it. @returns see `peekToken` */
export async function redeemToken<D extends object>(
  inside: Context,
  purpose: TokenPurpose<D>,
  token: string,
): Promise<OneTimeToken<D> | null> {
  return toToken(await takeToken(inside.catalogue, keyOf(inside, purpose, token)))
}

/**
 * Counts a guess of the code that a token requires, inside a transaction. Beyond the allowed number, the token is
 * withdrawn. To be called before the code is checked, so that simultaneous guesses are counted.
 * @returns whether the guess is allowed
 */
export async function countGuess<D extends object>(
  inside: Context,
  purpose: TokenPurpose<D>,
  { token, allowed }: { token: string; allowed: number },
): Promise<boolean> {
  const key = keyOf(inside, purpose, token)
  const guesses = await addFailure(inside.catalogue, key)
  if (guesses !== null && guesses > allowed) await takeToken(inside.catalogue, key)
  return guesses !== null && guesses <= allowed
}

/** The refusal of a token that is unknown, used or expired. */
export function invalidToken(): ServiceError {
  return invalidField('token', 'is not valid: it is mistyped, used, or has expired', 'expired')
}

/** @returns whether `isFirstTime` was called with the same text within the last `validMs` of the purpose */
export async function wasBefore(
  context: Context,
  purpose: TokenPurpose<object>,
  text: string,
): Promise<boolean> {
  const key = { ...keyOf(context, purpose, ''), hash: eventHash(context, purpose, text) }
  return (await findToken(context.catalogue, key)) !== null
}

/**
 * Remembers, inside a transaction, that an event has happened which may happen only once
 * within the `validMs` of the purpose.
 * @param text identifies the event
 * @returns `true` for exactly one of several simultaneous callers
 */
export function isFirstTime(inside: Context, purpose: TokenPurpose<object>, text: string): Promise<boolean> {
  return insertNewToken(inside.catalogue, {
    hash: eventHash(inside, purpose, text),
    purpose: purpose.name,
    account_id: null,
    data: '{}',
    failures: 0,
    created_at: now(inside),
    expires_at: new Date(inside.shared.clock().getTime() + purpose.validMs).toISOString(),
  })
}

/**
 * Withdraws tokens of a user, inside a transaction.
 * @param purpose the purpose of the tokens; if absent, the tokens of all purposes are withdrawn
 * @param kept a token that stays valid
 */
export function withdrawTokens(
  inside: Context,
  accountId: string,
  purpose?: TokenPurpose<object>,
  kept?: string,
): Promise<void> {
  const keptHash = kept === undefined ? undefined : hashOf(kept)
  return deleteTokensOf(inside.catalogue.ofUser(accountId), defined({ purpose: purpose?.name, keptHash }))
}

export const removeExpiredTokens = expiryJob({
  what: 'one-time tokens',
  rows: expiringTokens,
})

function eventHash({ catalogueTenantId }: Context, { name }: TokenPurpose<object>, text: string): string {
  return hashOf(`${catalogueTenantId} ${name} ${text}`)
}

function keyOf(context: Context, { name }: TokenPurpose<object>, token: string): TokenKey {
  return { hash: hashOf(token), purpose: name, moment: now(context) }
}

function toToken<D extends object>(row: OneTimeTokenRow | null): OneTimeToken<D> | null {
  if (row === null) return null
  const data = JSON.parse(row.data) as D // `issueToken` has written it for this purpose
  return { accountId: row.account_id, data, createdAt: row.created_at, expiresAt: row.expires_at }
}

function hashOf(token: string): string {
  return hash('sha256', token)
}
