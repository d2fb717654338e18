/** Who reaches sign-ups. */
import { type Context, hostTenantId } from '../../core/context.ts'
import { refusal } from '../../core/errors.ts'

/** Every tenant has the permissions, and only the host has sign-ups. @throws ServiceError `forbidden` */
export function requireHost({ actor }: Context): void {
  if (actor?.tenantId !== hostTenantId) throw refusal('signUpDecidedByHost')
}
