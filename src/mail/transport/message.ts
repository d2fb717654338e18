/** A mail as nodemailer takes it. Nothing in it is parsed again, and no file or address in it is read. */
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
    // Programs that answer for an absent person stay silent (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
