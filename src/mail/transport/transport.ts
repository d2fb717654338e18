/** The interface to what takes mails: a mail server, or a folder in development. Tests have their own transports. */
import { foldMailDomain, type MailSender } from '../../core/mail-address.ts'
import type { KeptMail } from '../../core/mail-settings.ts'
import type { RenderedMail } from '../render/render.ts'

export interface OutgoingMail extends RenderedMail {
  /** The same in every attempt. The message id is made from it, so mail programs recognise a repeated mail. */
  id: string
  tenantId: string
  template: string
  from: MailSender
  to: string
  createdAt: Date
}

export interface MailTransport {
  /** @throws MailRefused when no later attempt can succeed; any other error when one can */
  send(mail: OutgoingMail): Promise<void>
  /** Reads a mail that the transport keeps for developers; `null` if it keeps no such mail. */
  read?(id: string): Promise<KeptMail | null>
  /** Closes the connections, also those that are sending a mail. */
  close?(): void
}

/** The mail server refuses this mail for ever, such as for an address that does not exist. */
export class MailRefused extends Error {}

export function messageIdOf({ id, from }: OutgoingMail): string {
  return `<${id}@${foldMailDomain(from.address.slice(from.address.lastIndexOf('@') + 1))}>`
}
