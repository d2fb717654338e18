/** Limits of mails that this instance sends at once. */
import type { TenantLimits } from '../../core/queue/permits.ts'
import type { Limit } from '../../database/limit.ts'

/** The total equals the number of connections to the mail server. */
export interface MailLimits extends TenantLimits {
  /** How long a mail stays claimed after its instance has died. It is longer than an attempt may take. */
  leaseMs: number
  /** How long an attempt may take. */
  deadlineMs: number
  /** How many mails of a template strangers can cause within an hour: to one address, and in one tenant. */
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

export const mailLimit: Limit = {
  name: 'mails that are sent at once',
  kind: 'permits',
  bounds: { instance: defaultMailLimits.total, tenant: defaultMailLimits.perTenant },
  changedBy: ['mailLimits'],
  beyond: 'mails wait; tenants take turns',
  metrics: ['tenantry_mails'],
  page: 'identity/mail.md#limits',
}

export const causedMailLimit: Limit = {
  name: 'mails of a template that others can cause',
  kind: 'rate',
  bounds: {
    installation: '`MAIL_PER_DAY` of all templates in a day',
    tenant: `${defaultMailLimits.perTenantPerHour} in an hour; at first \`MAIL_NEW_TENANT_PER_DAY\` in a day`,
    'address of a client': '`MAIL_NETWORK_PER_DAY` of all templates in a day',
    'address of a mail': `${defaultMailLimits.perAddressPerHour} in an hour`,
  },
  changedBy: ['MAIL_PER_DAY', 'MAIL_NEW_TENANT_PER_DAY', 'MAIL_NETWORK_PER_DAY', 'mailLimits'],
  beyond: 'the mail is not sent; a caller with a token gets 429',
  page: 'identity/mail.md#limits',
}
