import { type Static, Type } from 'typebox'

/** A mail that is kept in the folder of development, as its recipient would read it. */
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
  /** Whether mails reach a mail server, or in development a folder. */
  readonly isConfigured: boolean
  /** Reads a kept mail by its id; `null` where mails are sent, so that nobody reads them. */
  readonly readKept: ((id: string) => Promise<KeptMail | null>) | null
  /** The maximum of mails that strangers can cause within an hour: to one address, and of one tenant. */
  readonly perAddress: number
  readonly perTenant: number
  /**
   * The maximum of mails within a day: of one template on the first day of a tenant, of one client network, in total.
   */
  readonly newTenantPerDay: number
  readonly perNetworkPerDay: number
  readonly perDay: number
  /** Case-folded ids of tenants without a quota of their age. */
  readonly trustedTenants: ReadonlySet<string>
}
