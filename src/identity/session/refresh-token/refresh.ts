/** Keeping sessions alive. */
import { recordAudit } from '../../../core/audit/audit.ts'
import { type Context, now } from '../../../core/context.ts'
import { ServiceError } from '../../../core/errors.ts'
import { inCatalogue } from '../../../core/transaction.ts'
import { mayContinue } from '../../single-sign-on/configuration.ts'
import { findActiveAccount } from '../../user/credentials.ts'
import { revokeSession } from '../revocation.ts'
import type { SignIn } from '../schema.ts'
import { expiryOf, issueTokens, later, type SessionParts, sessionEntry } from '../session.ts'
import { extendSession } from '../sql.ts'
import { exchangeToken, reachSession, sessionOfToken } from './refresh-token.ts'

/** A use is recorded at most once in this time. */
const useIntervalMs = 60_000

/**
 * Exchanges a refresh token for its successor. A token that somebody else may have ends its session.
 * @throws ServiceError `badRefreshToken`
 */
export async function refresh(context: Context, { tokens }: SessionParts, token: string): Promise<SignIn> {
  // An unknown token costs one read, and no transaction.
  const known = await sessionOfToken(context, token)
  if (known === null) throw new ServiceError('badRefreshToken')
  const renewed = await inCatalogue(reachSession(context, known), async (inside) => {
    const session = await sessionOfToken(inside, token)
    const moment = now(context)
    if (session === null || session.revoked_at !== null || session.expires_at <= moment) return null
    const account = await findActiveAccount(inside, session.account_id)
    if (account === null) return null
    const isFromProvider = session.methods.split(' ').includes('sso')
    if (isFromProvider && !(await mayContinue(inside, session.created_at))) return null
    const exchange = await exchangeToken(inside, session.id, token)
    if (exchange === null) {
      await revokeSession(inside, session.id)
      await recordAudit(inside, sessionEntry('session.reuseDetected', account.tenant_id, account, session.id))
      return null
    }
    if (exchange.isFirst) {
      const isUsedAnew = session.last_used_at <= later(context, -useIntervalMs)
      await extendSession(inside.catalogue, session.id, {
        expires_at: expiryOf(context, session.created_at),
        ...(isUsedAnew && { last_used_at: moment }),
      })
    }
    return { account, sessionId: session.id, refreshToken: exchange.successor }
  })
  if (renewed === null) throw new ServiceError('badRefreshToken')
  return issueTokens(tokens, renewed)
}
