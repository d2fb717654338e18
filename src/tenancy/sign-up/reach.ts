/** Limits sign-ups to the host tenant, which decides on them. */
import { type Context, hostTenantId } from '../../core/context.ts'
import { refusal } from '../../core/errors.ts'

/** Needed beside the permission, which a role of any tenant may grant. @throws ServiceError `forbidden` */
export function requireHost({ actor }: Context): void {
  if (actor?.tenantId !== hostTenantId) throw refusal('signUpDecidedByHost')
}
