import type { Actor, Context } from '../../core/context.ts'
import { refusal, unauthorized } from '../../core/errors.ts'

/**
 * Requires a user, for operations on the user's own account.
 * @throws ServiceError `unauthorized` without one, `forbidden` for an API key
 */
export function signedIn({ actor }: Context): Actor {
  if (actor === null) throw unauthorized('noToken')
  if (actor.credential.kind === 'apiKey') throw refusal('userRequired')
  return actor
}
