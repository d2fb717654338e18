/**
 * Refresh tokens: each works once, and is exchanged for its successor. Lock order: the user, the session, its tokens.
 * Whoever changes tokens of a session locks the session first; whoever locks several sessions, in the order of their ids.
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

/** During this time a client that repeats a token gets the same successor: its requests may be simultaneous. */
const sameSuccessorMs = 10_000
/** During this time a client whose reply was lost gets another successor, if nobody has used the first one. */
const lostReplyMs = 60_000

/** The purpose of the digest that derives the successor of a token, which is the same on each request. */
export const successorPurpose = 'refresh-token'

/** The session of a token, with when the token was exchanged; `null` for an unknown token. */
export function sessionOfToken(context: Context, token: string): ReturnType<typeof findByRefreshToken> {
  return findByRefreshToken(tokens(context), hashOf(token))
}

/** Inside a transaction. */
export async function storeToken(inside: Context, sessionId: string, token: string): Promise<void> {
  const row = { hash: hashOf(token), session_id: sessionId, created_at: now(inside), rotated_at: null }
  await insertRefreshToken(inside.catalogue, row)
}

/**
 * Inside a transaction that has locked the session.
 * @returns the successor; `null` for a token that somebody else may have
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
  if (rotatedAt >= before(inside, sameSuccessorMs)) return successor
  if (rotatedAt < before(inside, lostReplyMs)) return null
  return replaceSuccessor(inside, { sessionId, hash: hashOf(token), rotatedAt })
}

/**
 * The first successor does not work any more: two who have one each cannot both go on, and the session ends when the other
 * one is used.
 * @returns `null` if a successor was used
 */
async function replaceSuccessor(
  inside: Context,
  exchanged: { sessionId: string; hash: string; rotatedAt: string },
): Promise<string | null> {
  const { sessionId } = exchanged
  if (await hasUsedSuccessor(inside.catalogue, exchanged)) return null
  await withdrawUnused(inside.catalogue, sessionId, before(inside, lostReplyMs + 1))
  const another = randomBytes(32).toString('base64url')
  await storeToken(inside, sessionId, another)
  return another
}

function before(context: Context, ms: number): string {
  return new Date(context.shared.clock().getTime() - ms).toISOString()
}

/** The context for the tenant of the session. */
export function reachSession(context: Context, { tenant_id: tenantId }: SessionRow): Context {
  return reaching(context, tokens(context), tenantId)
}

function tokens(context: Context): InstallationData {
  return installation(context, 'a refresh token itself says whose it is')
}

function hashOf(token: string): string {
  return digest('sha256', token)
}
