/** Starting sessions, keeping them alive, and ending them. */
import { createHash, randomBytes } from 'node:crypto'
import type { AuditAction } from '../../core/audit/action.ts'
import { type AuditEntry, recordAudit } from '../../core/audit/audit.ts'
import { type Context, now, sessionOf } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { clientNetwork } from '../../core/network.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { mayContinue } from '../single-sign-on/configuration.ts'
import { type Account, rolesOf } from '../user/account.ts'
import { findActiveAccount } from '../user/credentials.ts'
import { signedIn } from '../user/signed-in.ts'
import { type AccessTokens, accessTokenSeconds } from './access-token.ts'
import type { SignInBackoff } from './backoff.ts'
import { revokeSession } from './revocation.ts'
import type { SignIn } from './schema.ts'
import { extendSession, findByRefreshToken, insertRefreshToken, insertSession, markRotated } from './sql.ts'

/** A session ends this long after its last refresh. */
export const refreshTokenMs = 7 * 24 * 60 * 60 * 1000
/** During this time, a client that repeats a token or has lost the reply gets the same successor. */
const reuseGraceMs = 10_000
/** The purpose of the digest that derives the successor of a refresh token, which is the same on each request. */
export const successorPurpose = 'refresh-token'
/** Browsers send fewer characters. */
const maxUserAgentLength = 300

/** What sessions need in addition to their context. */
export interface SessionParts {
  tokens: AccessTokens
  backoff: SignInBackoff
}

/**
 * How users prove who they are: with a password, a one-time code, a recovery code, a passkey, at an identity provider,
 * or with a link in a mail. The first three are names of RFC 8176.
 */
export type SignInMethod = 'pwd' | 'otp' | 'recovery' | 'passkey' | 'sso' | 'mail'

export interface StartedSession {
  account: Account
  sessionId: string
  refreshToken: string
}

/**
 * Inside a transaction: starts a session of a user who has proven who they are. The caller has locked the user, so that
 * a simultaneous deactivation finds the session.
 */
export async function startSession(
  inside: Context,
  account: Account,
  methods: readonly SignInMethod[],
): Promise<StartedSession> {
  const refreshToken = randomBytes(32).toString('base64url')
  const sessionId = newId()
  const moment = now(inside)
  await insertSession(inside.catalogue, {
    id: sessionId,
    tenant_id: account.tenant_id,
    account_id: account.id,
    created_at: moment,
    expires_at: later(inside, refreshTokenMs),
    revoked_at: null,
    client_address: clientNetwork(inside.clientAddress ?? ''),
    methods: methods.join(' '),
    authenticated_at: moment,
    user_agent: inside.userAgent?.slice(0, maxUserAgentLength) ?? null,
    last_used_at: moment,
  })
  await storeRefreshToken(inside, sessionId, refreshToken)
  const entry = sessionEntry('session.started', account.tenant_id, account, sessionId)
  await recordAudit(inside, { ...entry, detail: { methods } })
  return { account, sessionId, refreshToken }
}

/** After the transaction: the reply to a sign-in. */
export async function issueTokens(
  tokens: AccessTokens,
  { account, sessionId, refreshToken }: StartedSession,
): Promise<SignIn> {
  const user = {
    id: account.id,
    userName: account.user_name,
    email: account.email,
    firstName: account.first_name,
    lastName: account.last_name,
    roles: rolesOf(account),
    tenantId: account.tenant_id,
  }
  const { token, expiresAt } = await tokens.issue({ ...user, sessionId })
  return {
    accessToken: token,
    refreshToken,
    tokenType: 'Bearer',
    expiresIn: accessTokenSeconds,
    expiresAt,
    user,
  }
}

/**
 * Exchanges a refresh token for its successor. Reusing a token after the grace period ends its session.
 * @throws ServiceError `badRefreshToken`
 */
export async function refresh(context: Context, { tokens }: SessionParts, token: string): Promise<SignIn> {
  const hash = hashOf(token)
  // An unknown token costs one read, and no transaction.
  if ((await findByRefreshToken(context.catalogue, hash)) === null) throw new ServiceError('badRefreshToken')
  const renewed = await inCatalogue(context, async (inside) => {
    const session = await findByRefreshToken(inside.catalogue, hash)
    const moment = now(context)
    if (session === null || session.revoked_at !== null || session.expires_at <= moment) return null
    const account = await findActiveAccount(inside, session.account_id)
    if (account === null) return null
    const isFromProvider = session.methods.split(' ').includes('sso')
    if (isFromProvider && !(await mayContinue(inside, session.tenant_id, session.created_at))) return null
    const successor = context.shared.secretBox.digest(token, successorPurpose).toString('base64url')
    if (await markRotated(inside.catalogue, hash, moment)) {
      await storeRefreshToken(inside, session.id, successor)
      await extendSession(inside.catalogue, session.id, later(context, refreshTokenMs))
    } else if (!(await wasRotatedSince(inside, hash, later(context, -reuseGraceMs)))) {
      await revokeSession(inside, session.id)
      await recordAudit(inside, sessionEntry('session.reuseDetected', account.tenant_id, account, session.id))
      return null
    }
    return { account, sessionId: session.id, refreshToken: successor }
  })
  if (renewed === null) throw new ServiceError('badRefreshToken')
  return issueTokens(tokens, renewed)
}

/** Ends the session of the access token, and that of the refresh token if it is of the same user. */
export async function logOut(context: Context, refreshToken: string | null): Promise<void> {
  const actor = signedIn(context)
  await inCatalogue(context, async (inside) => {
    const other =
      refreshToken === null ? null : await findByRefreshToken(inside.catalogue, hashOf(refreshToken))
    const own = sessionOf(actor)
    const ids = new Set(own === null ? [] : [own])
    if (other?.account_id === actor.id) ids.add(other.id)
    // Locks in one order, so that two users who end each other's sessions do not deadlock.
    for (const id of [...ids].toSorted()) {
      await revokeSession(inside, id)
      const entry = { action: 'session.ended', tenantId: actor.tenantId, subjectType: 'session' } as const
      await recordAudit(inside, { ...entry, subjectId: id })
    }
  })
}

async function storeRefreshToken(inside: Context, sessionId: string, token: string): Promise<void> {
  const row = { hash: hashOf(token), session_id: sessionId, created_at: now(inside), rotated_at: null }
  await insertRefreshToken(inside.catalogue, row)
}

async function wasRotatedSince(inside: Context, hash: string, since: string): Promise<boolean> {
  const rotatedAt = (await findByRefreshToken(inside.catalogue, hash))?.rotated_at ?? ''
  return rotatedAt >= since
}

export function sessionEntry(
  action: AuditAction,
  tenantId: string,
  account: Account | null,
  sessionId: string | null,
): AuditEntry {
  return {
    action,
    tenantId,
    subjectType: 'session',
    subjectId: sessionId,
    ...(account !== null && { actor: { id: account.id, userName: account.user_name } }),
  }
}

function later(context: Context, ms: number): string {
  return new Date(context.shared.clock().getTime() + ms).toISOString()
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
