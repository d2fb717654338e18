import type { TenantColumn } from '../database/scope.ts'

declare module '../database/catalogue-tables.ts' {
  interface CatalogueTables {
    mail: MailTable
  }
}

export interface MailTable {
  id: string
  tenant_id: TenantColumn
  template: string
  recipient: string
  /** The recipient case-folded. */
  recipient_key: string
  /** The mailbox of the recipient, as `mailboxOf` gives it; `null` for mails of earlier versions. */
  mailbox_key: string | null
  /** The locale of the recipient; `null` if the locale of the tenant is used. */
  locale: string | null
  /** The encrypted JSON of the values of the template; `null` once the mail was sent or its content has expired. */
  content: Uint8Array | null
  /** Whether the mail counts for the budgets. */
  is_limited: boolean
  /**
   * The network of the client that caused a limited mail; `null` if a job caused it,
   * and for mails of earlier versions.
   */
  network: string | null
  /** `PENDING`, `SENT` or `DEAD`. */
  status: string
  attempts: number
  /** Attempts before the last retry by an administrator. */
  attempts_before: number
  /** When the mail is due; during an attempt, the end of its lease. */
  next_at: string | null
  lease: string | null
  error: string | null
  created_at: string
  /** When the content of the mail, such as a link, stops working. */
  expires_at: string | null
  sent_at: string | null
}
