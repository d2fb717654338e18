/** Requires a recent sign-in before a dangerous operation, because a session may be left open or stolen. */
import { sessionOf } from '../../core/actor.ts'
import type { Context } from '../../core/context.ts'
import { atHome } from '../../core/create-context.ts'
import { refusal } from '../../core/errors.ts'
import { findSessionOf } from './sql.ts'

/** The time for which a proof of identity counts as recent. */
export const recentSignInMs = 10 * 60 * 1000

/**
 * Does not apply to API keys, jobs and the command line: they have no user who could sign in again.
 * @throws ServiceError `forbidden` with the header `X-Step-Up` if the last sign-in or step-up is too long ago
 */
export async function requireRecentSignIn(context: Context): Promise<void> {
  const { actor, shared } = context
  const id = actor && sessionOf(actor)
  if (actor === null || id === null) return
  // The session is a row of the actor's own tenant, also while an administrator of the host acts in another tenant.
  const own = atHome(context).catalogue.ofUser(actor.id)
  const provenAt = (await findSessionOf(own, id))?.authenticated_at ?? ''
  const since = new Date(shared.clock().getTime() - recentSignInMs).toISOString()
  if (provenAt >= since) return
  throw refusal('stepUpRequired', {}, { headers: { 'x-step-up': 'required' } })
}
