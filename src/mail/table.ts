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
  /** See `mailboxOf`; `null` for mails of earlier versions. */
  mailbox_key: string | null
  /** The locale of the recipient; `null`: that of the tenant. */
  locale: string | null
  /** Encrypted: the values of the template as JSON. `null` when it was sent, or when what it says has expired. */
  content: Uint8Array | null
  /** Whether it counts for the budgets of mails. */
  is_limited: boolean
  /** The network of the client that has caused it, if it is limited; `null` for a job, and for mails of earlier versions. */
  network: string | null
  /** PENDING, SENT, DEAD */
  status: string
  attempts: number
  /** Attempts before the last retry by an administrator. */
  attempts_before: number
  /** When it is due; during an attempt the end of its lease. */
  next_at: string | null
  lease: string | null
  error: string | null
  created_at: string
  /** When what it says, such as a link, is worth nothing any more. */
  expires_at: string | null
  sent_at: string | null
}
