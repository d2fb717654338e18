/** Starts and ends sessions. */
import { randomBytes } from 'node:crypto'
import { sessionOf } from '../../core/actor.ts'
import type { AuditAction } from '../../core/audit/action.ts'
import { type AuditEntry, recordAudit } from '../../core/audit/audit.ts'
import { type Context, type Impersonator, now } from '../../core/context.ts'
import { atHome } from '../../core/create-context.ts'
import { newId } from '../../core/id.ts'
import { clientNetwork } from '../../core/network.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { type Account, rolesOf } from '../user/account.ts'
import { signedIn } from '../user/signed-in.ts'
import { type AccessTokens, accessTokenSeconds } from './access-token.ts'
import type { SignInBackoff } from './backoff.ts'
import { reportNewDevice } from './new-device.ts'
import { sessionOfToken, storeToken } from './refresh-token/refresh-token.ts'
import { revokeSession } from './revocation.ts'
import type { SignIn } from './schema.ts'
import { insertSession, liveSessionsOf, type NewSession } from './sql.ts'

/** A session ends this long after its last refresh. */
export const refreshTokenMs = 7 * 24 * 60 * 60 * 1000
/** The stored length of `User-Agent`. Browsers send fewer characters. */
const maxUserAgentLength = 300

/** The most sessions of a user. A further sign-in ends the session that was not used for the longest time. */
export const maxSessions = 100

/** What sessions need in addition to their context. */
export interface SessionParts {
  tokens: AccessTokens
  backoff: SignInBackoff
}

/** How users prove who they are: with a password and a code (names of RFC 8176), or at an identity provider. */
export type SignInMethod = 'pwd' | 'otp' | 'recovery' | 'passkey' | 'sso'

export interface StartedSession {
  account: Account
  sessionId: string
  refreshToken: string
}

/**
 * Starts a session of a user who has proven who they are, inside a transaction in which the user is locked: a
 * simultaneous deactivation then finds the session.
 */
export async function startSession(
  inside: Context,
  account: Account,
  methods: readonly SignInMethod[],
): Promise<StartedSession> {
  const refreshToken = randomBytes(32).toString('base64url')
  const sessionId = newId()
  await reportNewDevice(inside, account, sessionId)
  await endExcessSessions(inside, account.id)
  const expiresAt = expiryOf(inside, now(inside))
  await insertSession(inside.catalogue.ofUser(account.id), {
    ...sessionRow(inside, sessionId, expiresAt),
    methods: methods.join(' '),
  })
  await storeToken(inside, sessionId, refreshToken)
  const entry = sessionEntry('session.started', account.tenant_id, account, sessionId)
  await recordAudit(inside, { ...entry, detail: { methods } })
  inside.transaction?.afterCommit(() => inside.shared.tenantUsage.countSignIn(account.tenant_id))
  return { account, sessionId, refreshToken }
}

/** Starts the session of an administrator who acts as the user, inside a transaction. It has no refresh token. */
export async function addImpersonation(
  inside: Context,
  account: Account,
  { id, expiresAt, impersonator }: { id: string; expiresAt: string; impersonator: Impersonator },
): Promise<void> {
  await insertSession(inside.catalogue.ofUser(account.id), {
    ...sessionRow(inside, id, expiresAt),
    impersonator_id: impersonator.id,
    impersonator_name: impersonator.userName,
  })
}

function sessionRow(inside: Context, id: string, expiresAt: string): NewSession {
  const moment = now(inside)
  return {
    id,
    created_at: moment,
    expires_at: expiresAt,
    revoked_at: null,
    client_address: clientNetwork(inside.clientAddress ?? ''),
    methods: '',
    authenticated_at: moment,
    user_agent: inside.userAgent?.slice(0, maxUserAgentLength) ?? null,
    last_used_at: moment,
    impersonator_id: null,
    impersonator_name: null,
  }
}

/** Makes room for a new session: ends sessions that were not used for the longest time. */
async function endExcessSessions(inside: Context, accountId: string): Promise<void> {
  const sessions = await liveSessionsOf(inside.catalogue.ofUser(accountId), now(inside))
  const excess = sessions.slice(maxSessions - 1).map(({ id }) => id)
  for (const id of excess.toSorted()) await revokeSession(inside, id)
}

/** Makes the reply to a sign-in. To be called after the transaction. */
export async function issueTokens(
  tokens: AccessTokens,
  { account, sessionId, refreshToken }: StartedSession,
): Promise<SignIn> {
  const user = describeUser(account)
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

export function describeUser(account: Account): SignIn['user'] {
  return {
    id: account.id,
    userName: account.user_name,
    email: account.email,
    firstName: account.first_name,
    lastName: account.last_name,
    roles: rolesOf(account),
    tenantId: account.tenant_id,
  }
}

/** Ends the session of the access token, and that of the refresh token if it is of the same user. */
export async function logOut(context: Context, refreshToken: string | null): Promise<void> {
  const actor = signedIn(context)
  await inCatalogue(atHome(context), async (inside) => {
    const other = refreshToken === null ? null : await sessionOfToken(inside, refreshToken)
    const own = sessionOf(actor)
    const ids = new Set(own === null ? [] : [own])
    if (other?.account_id === actor.id && actor.impersonator === null) ids.add(other.id)
    // Locks in one order, so that two users who end each other's sessions do not deadlock.
    for (const id of [...ids].toSorted()) {
      await revokeSession(inside, id)
      const entry = { action: 'session.ended', tenantId: actor.tenantId, subjectType: 'session' } as const
      await recordAudit(inside, { ...entry, subjectId: id })
    }
  })
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

/** Each use of a session extends it by `refreshTokenMs`, but not beyond its maximum duration. */
export function expiryOf(context: Context, createdAt: string): string {
  const last = new Date(Date.parse(createdAt) + context.shared.sessionMaxMs).toISOString()
  const idle = later(context, refreshTokenMs)
  return idle < last ? idle : last
}

/** @returns the present time plus `ms`, which are negative for an earlier time: ISO 8601 */
export function later(context: Context, ms: number): string {
  return new Date(context.shared.clock().getTime() + ms).toISOString()
}
