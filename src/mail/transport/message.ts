/** A mail as nodemailer takes it. Nothing in it is parsed again, and no file or address in it is read. */
import type { SendMailOptions } from 'nodemailer'
import { messageIdOf, type OutgoingMail } from './transport.ts'

export function messageOf(mail: OutgoingMail): SendMailOptions {
  const { from, to, subject, text, html, createdAt } = mail
  return {
    from: { name: from.name ?? '', address: from.address },
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
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
