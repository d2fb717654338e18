/** Keeps sessions alive: exchanges refresh tokens for new tokens. */
import { recordAudit } from '../../../core/audit/audit.ts'
import { type Context, now } from '../../../core/context.ts'
import { ServiceError } from '../../../core/errors.ts'
import { inCatalogue } from '../../../core/transaction.ts'
import { mayContinue } from '../../single-sign-on/configuration.ts'
import { findActiveAccount } from '../../user/credentials.ts'
import { revokeSession } from '../revocation.ts'
import type { SignIn } from '../schema.ts'
import { expiryOf, issueTokens, later, type SessionParts, sessionEntry } from '../session.ts'
import { extendSession, type SessionRow } from '../sql.ts'
import { exchangeToken, reachSession, sessionOfToken } from './refresh-token.ts'

/** The time of the last use is recorded at most once in this time. */
export const useIntervalMs = 60_000

/**
 * Exchanges a refresh token for its successor. A token that may be stolen, because it was
 * exchanged before, ends its session.
 * @throws ServiceError `badRefreshToken`
 */
export async function refresh(context: Context, { tokens }: SessionParts, token: string): Promise<SignIn> {
  // An unknown token causes a read, but no transaction.
  const known = await sessionOfToken(context, token)
  if (known === null) throw new ServiceError('badRefreshToken')
  const renewed = await inCatalogue(reachSession(context, known), async (inside) => {
    const session = await useSession(inside, known)
    const account = await findActiveAccount(inside, session.account_id)
    if (account === null) throw new ServiceError('badRefreshToken')
    const isFromProvider = session.methods.split(' ').includes('sso')
    if (isFromProvider && !(await mayContinue(inside, session.created_at)))
      throw new ServiceError('badRefreshToken')
    const successor = await exchangeToken(inside, session.id, token)
    if (successor !== null) return { account, sessionId: session.id, refreshToken: successor }
    await revokeSession(inside, session.id)
    await recordAudit(inside, sessionEntry('session.reuseDetected', account.tenant_id, account, session.id))
    return null
  })
  if (renewed === null) throw new ServiceError('badRefreshToken')
  return issueTokens(tokens, renewed)
}

/** Extends the session, which also locks it before its tokens. A later refusal rolls the extension back. */
async function useSession(
  inside: Context,
  { id, created_at, last_used_at }: SessionRow,
): Promise<SessionRow> {
  const moment = now(inside)
  const recordsUse = last_used_at <= later(inside, -useIntervalMs)
  const session = await extendSession(
    inside.catalogue,
    { id, moment },
    { expires_at: expiryOf(inside, created_at), ...(recordsUse && { last_used_at: moment }) },
  )
  if (session === null) throw new ServiceError('badRefreshToken')
  return session
}
