/** Collects the mails that a service under test sends. */
import type { MailTransport, OutgoingMail } from '../mail/transport/transport.ts'

/** A mail that was sent. */
export interface TestMail {
  to: string
  tenantId: string
  template: string
  subject: string
  text: string
  html: string
}

export class CollectedMails implements MailTransport {
  readonly #mails: TestMail[] = []

  async send({ to, tenantId, template, subject, text, html }: OutgoingMail): Promise<void> {
    this.#mails.push({ to, tenantId, template, subject, text, html })
  }

  /** @returns the mails that were sent so far, the oldest first */
  list(): readonly TestMail[] {
    return [...this.#mails]
  }
}
