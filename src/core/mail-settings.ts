import { type Static, Type } from 'typebox'

/** The settings of mails, and the shape of a mail that is kept in development. */

/** A mail in the folder where development keeps mails instead of sending them. */
export const KeptMail = Type.Object(
  {
    subject: Type.String({ description: 'The subject', examples: ['Set a new password'] }),
    text: Type.String({ description: 'The plain text, with the links', examples: ['Hello Ada, …'] }),
    links: Type.Array(
      Type.Object({
        label: Type.String({ description: 'The text of the link', examples: ['Set a new password'] }),
        url: Type.String({
          description: 'Where it leads',
          examples: ['https://app.example.com/reset-password?token=…'],
        }),
      }),
      { description: 'The links of the mail' },
    ),
  },
  { $id: 'MailContent', description: 'What a mail says that is kept in development.' },
)

export type KeptMail = Static<typeof KeptMail>

/** How mails are sent, and how many of them other people can cause. */
export interface MailSettings {
  /** Whether there is a mail server, or in development a folder for mails. */
  readonly isConfigured: boolean
  /** Reads a mail that was kept in the folder by its id; `null` where mails are sent, because nobody may read those. */
  readonly readKept: ((id: string) => Promise<KeptMail | null>) | null
  /** The maximum number of mails that strangers can cause within an hour: to one address, and of one tenant. */
  readonly perAddress: number
  readonly perTenant: number
  /**
   * The maximum number of mails within a day: of one template on the first day of a tenant, of one client network,
   * and of all tenants together.
   */
  readonly newTenantPerDay: number
  readonly perNetworkPerDay: number
  readonly perDay: number
  /** The case-folded ids of tenants to which `newTenantPerDay` does not apply. */
  readonly trustedTenants: ReadonlySet<string>
}
