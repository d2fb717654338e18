import type { Actor, Context } from '../../core/context.ts'
import { ServiceError, unauthorized } from '../../core/errors.ts'

/**
 * The actor as a user, for what concerns the user alone.
 * @throws ServiceError `unauthorized` without one, `forbidden` for an API key
 */
export function signedIn({ actor }: Context): Actor {
  if (actor === null) throw unauthorized('none')
  if (actor.credential.kind === 'apiKey')
    throw new ServiceError('forbidden', 'This requires a signed-in user, and an API key is none.')
  return actor
}
