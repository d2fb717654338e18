/** Signing in, staying signed in, and signing out. */
import { createHash, randomBytes } from 'node:crypto'
import type { AuditAction } from '../../core/audit/action.ts'
import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, now, sessionOf } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { clientNetwork } from '../../core/network.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { type Account, foldUserName, rolesOf } from '../user/account.ts'
import {
  type Credentials,
  checkPassword,
  findAccountByLogin,
  findActiveAccount,
  lockUnchanged,
  originOf,
  renewHash,
} from '../user/credentials.ts'
import { signedIn } from '../user/signed-in.ts'
import { type AccessTokens, accessTokenSeconds } from './access-token.ts'
import type { SignInBackoff } from './backoff.ts'
import { revokeSession } from './revocation.ts'
import type { SignIn } from './schema.ts'
import {
  extendSession,
  findByRefreshToken,
  hasSignedInFrom,
  insertRefreshToken,
  insertSession,
  markRotated,
} from './sql.ts'

/** A session ends this long after its last refresh. */
export const refreshTokenMs = 7 * 24 * 60 * 60 * 1000
/** During this time, a client that repeats a token or has lost the reply gets the same successor. */
const reuseGraceMs = 10_000
/** The purpose of the digest that derives the successor of a refresh token, which is the same on each request. */
export const successorPurpose = 'refresh-token'

/** What sessions need in addition to their context. */
export interface SessionParts {
  tokens: AccessTokens
  backoff: SignInBackoff
}

/**
 * A wrong password, an unknown or deactivated user and a deactivated tenant get the same answer, in equal time.
 * @throws ServiceError `badCredentials`, `tooManyRequests` after several failures, or `overloaded`
 */
export async function logIn(
  context: Context,
  parts: SessionParts,
  credentials: Credentials,
): Promise<SignIn> {
  const account = await findAccountByLogin(context, credentials.userName)
  const isCorrect = await verifyCredentials(context, parts.backoff, account, credentials)
  if (account === null || !isCorrect || !context.tenant.isActive) {
    await inCatalogue(context, (inside) =>
      recordAudit(inside, sessionEntry('session.refused', context.tenant.id, account, null)),
    )
    throw new ServiceError('badCredentials')
  }
  const refreshToken = randomBytes(32).toString('base64url')
  const started = await inCatalogue(context, async (inside) => {
    const user = await lockUnchanged(inside, account)
    if (user === null) return null
    const sessionId = await startSession(inside, user)
    await storeRefreshToken(inside, sessionId, refreshToken)
    await recordAudit(inside, sessionEntry('session.started', user.tenant_id, user, sessionId))
    return { user, sessionId }
  })
  // The user changed while its password was checked: check again.
  if (started === null) return logIn(context, parts, credentials)
  renewHash(context, account, credentials.password)
  return toSignIn(parts.tokens, started.user, started.sessionId, refreshToken)
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
    const successor = context.shared.secretBox.digest(token, successorPurpose).toString('base64url')
    if (await markRotated(inside.catalogue, hash, moment)) {
      await storeRefreshToken(inside, session.id, successor)
      await extendSession(inside.catalogue, session.id, later(context, refreshTokenMs))
    } else if (!(await wasRotatedSince(inside, hash, later(context, -reuseGraceMs)))) {
      await revokeSession(inside, session.id)
      await recordAudit(inside, sessionEntry('session.reuseDetected', account.tenant_id, account, session.id))
      return null
    }
    return { account, sessionId: session.id, successor }
  })
  if (renewed === null) throw new ServiceError('badRefreshToken')
  return toSignIn(tokens, renewed.account, renewed.sessionId, renewed.successor)
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

/**
 * Counts attempts by the name as it was typed. With a count by account, a user name and an email that belong together
 * would share a wait, which would reveal that they do.
 */
async function verifyCredentials(
  context: Context,
  backoff: SignInBackoff,
  account: Account | null,
  { userName, password }: Credentials,
): Promise<boolean> {
  const network = clientNetwork(context.clientAddress ?? '')
  const isKnown = account !== null && (await hasSignedInFrom(context.catalogue, account.id, network))
  const name = hashOf(foldUserName(userName))
  const keyIn = (where: string): string => `${context.tenant.id}:${where}:${name}`
  const keys = { network: keyIn(network), newNetworks: isKnown ? null : keyIn('*') }
  const origin = originOf(context, isKnown)
  return backoff.attempt(keys, () => checkPassword(context, account, password, origin))
}

async function startSession(inside: Context, account: Account): Promise<string> {
  const id = newId()
  await insertSession(inside.catalogue, {
    id,
    tenant_id: account.tenant_id,
    account_id: account.id,
    created_at: now(inside),
    expires_at: later(inside, refreshTokenMs),
    revoked_at: null,
    client_address: clientNetwork(inside.clientAddress ?? ''),
  })
  return id
}

async function storeRefreshToken(inside: Context, sessionId: string, token: string): Promise<void> {
  const row = { hash: hashOf(token), session_id: sessionId, created_at: now(inside), rotated_at: null }
  await insertRefreshToken(inside.catalogue, row)
}

async function wasRotatedSince(inside: Context, hash: string, since: string): Promise<boolean> {
  const rotatedAt = (await findByRefreshToken(inside.catalogue, hash))?.rotated_at ?? ''
  return rotatedAt >= since
}

async function toSignIn(
  tokens: AccessTokens,
  account: Account,
  sessionId: string,
  refreshToken: string,
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

function sessionEntry(
  action: AuditAction,
  tenantId: string,
  account: Account | null,
  sessionId: string | null,
) {
  return {
    action,
    tenantId,
    subjectType: 'session' as const,
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
