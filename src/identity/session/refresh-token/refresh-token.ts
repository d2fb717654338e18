/**
 * Refresh tokens: each works once, and is exchanged for its successor. Transactions lock the user first, then
 * sessions in the order of their ids, then their tokens. A change of tokens requires that their session is locked.
 */
import { hash as digest, randomBytes } from 'node:crypto'
import { type Context, now } from '../../../core/context.ts'
import { reaching } from '../../../core/create-context.ts'
import { installation } from '../../../core/installation.ts'
import type { InstallationData } from '../../../database/data.ts'
import type { SessionRow } from '../sql.ts'
import {
  findByRefreshToken,
  hasUsedSuccessor,
  insertRefreshToken,
  markRotated,
  withdrawUnused,
} from './sql.ts'

/** During this time a repeated token returns the same successor: requests of a client may be simultaneous. */
const sameSuccessorMs = 10_000
/** During this time a repeated token returns another successor if the first one is unused: the reply may be lost. */
const lostReplyMs = 60_000

/** The purpose of the digest that derives the successor of a token, which is the same on each request. */
export const successorPurpose = 'refresh-token'

/** The session of a token, with when the token was exchanged; `null` for an unknown token. */
export function sessionOfToken(context: Context, token: string): ReturnType<typeof findByRefreshToken> {
  return findByRefreshToken(tokens(context), hashOf(token))
}

/** Stores the digest of a token, inside a transaction. */
export async function storeToken(inside: Context, sessionId: string, token: string): Promise<void> {
  const row = { hash: hashOf(token), session_id: sessionId, created_at: now(inside), rotated_at: null }
  await insertRefreshToken(inside.catalogue, row)
}

/**
 * Exchanges a token, inside a transaction that has locked the session.
 * @returns the successor; `null` for a token that somebody may have stolen, because it was exchanged before
 */
export async function exchangeToken(
  inside: Context,
  sessionId: string,
  token: string,
): Promise<string | null> {
  const successor = inside.shared.secretBox.digest(token, successorPurpose).toString('base64url')
  if (await markRotated(inside.catalogue, hashOf(token), now(inside))) {
    await storeToken(inside, sessionId, successor)
    return successor
  }
  const rotatedAt = (await sessionOfToken(inside, token))?.rotated_at ?? ''
  if (rotatedAt >= timeAgo(inside, sameSuccessorMs)) return successor
  if (rotatedAt < timeAgo(inside, lostReplyMs)) return null
  return replaceSuccessor(inside, { sessionId, hash: hashOf(token), rotatedAt })
}

/**
 * Issues another successor, and withdraws the first one. If a thief has the first successor, its use ends the session.
 * @returns `null` if a successor was used
 */
async function replaceSuccessor(
  inside: Context,
  exchanged: { sessionId: string; hash: string; rotatedAt: string },
): Promise<string | null> {
  const { sessionId } = exchanged
  if (await hasUsedSuccessor(inside.catalogue, exchanged)) return null
  // Marked as exchanged so long ago that a later use of the first successor counts as theft.
  await withdrawUnused(inside.catalogue, sessionId, timeAgo(inside, lostReplyMs + 1))
  const another = randomBytes(32).toString('base64url')
  await storeToken(inside, sessionId, another)
  return another
}

function timeAgo(context: Context, ms: number): string {
  return new Date(context.shared.clock().getTime() - ms).toISOString()
}

/** @returns the context for the tenant of the session */
export function reachSession(context: Context, { tenant_id: tenantId }: SessionRow): Context {
  return reaching(context, tokens(context), tenantId)
}

function tokens(context: Context): InstallationData {
  return installation(context, 'a refresh token itself says whose it is')
}

function hashOf(token: string): string {
  return digest('sha256', token)
}
