import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'

/**
 * Credentials, rights and other sessions of a user stay the user's own.
 * @throws ServiceError `forbidden` while an administrator of the host acts as the user
 */
export function refuseImpersonated({ actor }: Pick<Context, 'actor'>): void {
  if (actor === null || actor.impersonator === null) return
  throw new ServiceError('forbidden', 'This is not possible while you act as another user.')
}
