/** Makes a mail in the form of nodemailer, which then parses none of its parts and reads no file or URL for it. */
import type { SendMailOptions } from 'nodemailer'
import { withAsciiDomain } from '../../core/mail-address.ts'
import { messageIdOf, type OutgoingMail } from './transport.ts'

export function messageOf(mail: OutgoingMail): SendMailOptions {
  const { from, subject, text, html, createdAt } = mail
  const [sender, to] = [withAsciiDomain(from.address), withAsciiDomain(mail.to)]
  return {
    from: { name: from.name ?? '', address: sender },
    to: { name: '', address: to },
    envelope: { from: sender, to: [to] },
    subject,
    text,
    html,
    date: createdAt,
    messageId: messageIdOf(mail),
    // Programs that answer for an absent person do not answer such a mail (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
