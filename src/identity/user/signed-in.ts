import type { Actor, Context } from '../../core/context.ts'
import { refusal, unauthorized } from '../../core/errors.ts'

/**
 * The actor as a user, for what concerns the user alone.
 * @throws ServiceError `unauthorized` without one, `forbidden` for an API key
 */
export function signedIn({ actor }: Context): Actor {
  if (actor === null) throw unauthorized('noToken')
  if (actor.credential.kind === 'apiKey') throw refusal('userRequired')
  return actor
}
