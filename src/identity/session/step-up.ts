/** Asks users to prove again who they are before something dangerous, because a session may be left open or stolen. */
import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, now, sessionOf } from '../../core/context.ts'
import { invalidField, ServiceError } from '../../core/errors.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { refuseImpersonated } from '../impersonation/guard.ts'
import { checkOwnPassword, lockUnchanged } from '../user/credentials.ts'
import { signedIn } from '../user/signed-in.ts'
import type { SignInBackoff } from './backoff.ts'
import type { SteppedUp } from './schema.ts'
import { findSession, setAuthenticatedAt } from './sql.ts'

/** How long a proof suffices. */
export const recentSignInMs = 10 * 60 * 1000

/**
 * Asks nothing of API keys, jobs and the command line: they have no user who could answer.
 * @throws ServiceError `forbidden` with the header `X-Step-Up` when the user has not proven lately who they are
 */
export async function requireRecentSignIn({ actor, catalogue, shared }: Context): Promise<void> {
  const id = actor && sessionOf(actor)
  if (id === null) return
  const provenAt = (await findSession(catalogue, id))?.authenticated_at ?? ''
  const since = new Date(shared.clock().getTime() - recentSignInMs).toISOString()
  if (provenAt >= since) return
  const text = 'Prove again who you are, with POST /api/auth/step-up.'
  throw new ServiceError('forbidden', text, { headers: { 'x-step-up': 'required' } })
}

/**
 * @param backoff limits guessing of the password with a stolen token, together with changes of the password
 * @throws ServiceError `invalid` when the password is wrong, `tooManyRequests` after several failures, `overloaded`
 */
export async function stepUp(context: Context, backoff: SignInBackoff, password: string): Promise<SteppedUp> {
  refuseImpersonated(context)
  const actor = signedIn(context)
  const account = await checkOwnPassword(context, backoff, password)
  const subject = { tenantId: actor.tenantId, subjectType: 'session', subjectId: sessionOf(actor) }
  if (account === null) {
    await inCatalogue(context, (inside) =>
      recordAudit(inside, { action: 'session.stepUpRefused', ...subject }),
    )
    throw invalidField('password', 'is wrong')
  }
  return inCatalogue(context, async (inside) => {
    const authenticatedAt = now(inside)
    if ((await lockUnchanged(inside, account)) === null) throw invalidField('password', 'is wrong')
    const id = sessionOf(actor)
    if (id !== null) await setAuthenticatedAt(inside.catalogue, id, authenticatedAt)
    await recordAudit(inside, { action: 'session.steppedUp', ...subject })
    return { authenticatedAt }
  })
}
