/** What takes mails: a mail server, or a folder in development. Tests have their own. */
import { foldMailDomain, type MailSender } from '../../core/mail-address.ts'
import type { KeptMail } from '../../core/mail-settings.ts'
import type { RenderedMail } from '../render/render.ts'

export interface OutgoingMail extends RenderedMail {
  /** The same in every attempt: programs recognise a repeated mail by the message id that follows from it. */
  id: string
  tenantId: string
  template: string
  from: MailSender
  to: string
  createdAt: Date
}

export interface MailTransport {
  /** @throws MailRefused when no other attempt can succeed; any other error when one can */
  send(mail: OutgoingMail): Promise<void>
  /** What a mail says that it keeps, for developers; `null` if there is no such mail any more. */
  read?(id: string): Promise<KeptMail | null>
  /** Ends what is in progress. */
  close?(): void
}

/** The mail server refuses this mail for ever, such as for an address that does not exist. */
export class MailRefused extends Error {}

export function messageIdOf({ id, from }: OutgoingMail): string {
  return `<${id}@${foldMailDomain(from.address.slice(from.address.lastIndexOf('@') + 1))}>`
}
