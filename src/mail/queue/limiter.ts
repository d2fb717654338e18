/** Limits of mails that this instance sends at once. */
import type { TenantLimits } from '../../core/queue/permits.ts'

/** The total is as many as there are connections to the mail server. */
export interface MailLimits extends TenantLimits {
  /** How long a mail stays claimed after its instance has died: longer than an attempt may take. */
  leaseMs: number
  /** How long an attempt may take. */
  deadlineMs: number
  /** Mails that strangers can cause within an hour: to one address, and of one tenant. */
  perAddressPerHour: number
  perTenantPerHour: number
}

export const defaultMailLimits: MailLimits = {
  total: 5,
  perTenant: 4,
  leaseMs: 60_000,
  deadlineMs: 30_000,
  perAddressPerHour: 5,
  perTenantPerHour: 1000,
}
