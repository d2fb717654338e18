/** A mail that is kept in the folder of development, as its recipient would read it. */
export interface KeptMail {
  subject: string
  text: string
  links: { label: string; url: string }[]
}

/** What the service knows of mails: whether they reach anybody, and how many others can cause. */
export interface MailSettings {
  /** Whether mails reach anybody: a mail server, or in development a folder. */
  readonly isConfigured: boolean
  /** Reads a kept mail by its id; `null` where mails are sent, so that nobody reads them. */
  readonly readKept: ((id: string) => Promise<KeptMail | null>) | null
  /** How many mails strangers can cause within an hour: to one address, and of one tenant. */
  readonly perAddress: number
  readonly perTenant: number
  /** Within a day: of one template on the first day of a tenant, of one client network, of the installation. */
  readonly newTenantPerDay: number
  readonly perNetworkPerDay: number
  readonly perDay: number
  /** Case-folded ids of tenants without a quota of their age. */
  readonly trustedTenants: ReadonlySet<string>
}
