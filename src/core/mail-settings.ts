/** What the service knows of mails: whether they reach anybody, and how many others can cause. */
export interface MailSettings {
  /** Whether mails reach anybody: a mail server, or in development a folder. */
  readonly isConfigured: boolean
  /** How many mails strangers can cause within an hour: to one address, and of one tenant. */
  readonly perAddress: number
  readonly perTenant: number
  /** Within a day: of one template on the first day of a tenant, of one client network, of the installation. */
  readonly newTenantPerDay: number
  readonly perNetworkPerDay: number
  readonly perDay: number
  /** Folded ids of tenants without a quota of their age. */
  readonly trustedTenants: ReadonlySet<string>
}
