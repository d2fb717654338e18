/** What the configuration of mails and the mail server takes from several settings. */
import { isIP } from 'node:net'
import type { MailSender } from '../mail-address.ts'
import type { Settings } from './settings.ts'

export interface MailNames {
  /** The name by which the service introduces itself to the mail server. */
  smtpName: string
  mailFrom: MailSender
}

/** @returns names that follow from the address of the service if they are not set */
export function mailNames(
  { SMTP_NAME, MAIL_FROM }: Pick<Settings, 'SMTP_NAME' | 'MAIL_FROM'>,
  baseUrl: string,
): MailNames {
  const { hostname } = new URL(baseUrl)
  return {
    smtpName: SMTP_NAME ?? literalOf(hostname),
    mailFrom: MAIL_FROM ?? { name: null, address: `noreply@${hostname}` },
  }
}

/** @returns why the service could not sign in at the mail server; `null` if it can, or need not */
export function mailSignInFault(read: Omit<Settings, 'NODE_ENV'>): string | null {
  const { SMTP_URL: url, SMTP_TOKEN_FILE: file, SMTP_TOKEN_URL: tokens } = read
  if (file !== null && tokens !== null) return 'SMTP_TOKEN_FILE: must be absent if SMTP_TOKEN_URL is set'
  if (url === null || url.username === '' || url.password !== '' || file !== null) return null
  if (tokens === null) return 'SMTP_URL: must have a password, or SMTP_TOKEN_FILE or SMTP_TOKEN_URL is set'
  if (read.SMTP_CLIENT_ID === null) return 'SMTP_CLIENT_ID: is required by SMTP_TOKEN_URL'
  if (read.SMTP_REFRESH_TOKEN === null && read.SMTP_CLIENT_SECRET === null)
    return 'SMTP_TOKEN_URL: requires SMTP_REFRESH_TOKEN or SMTP_CLIENT_SECRET'
  return null
}

/** @returns the name of a host, or an IP address in the form of RFC 5321, section 4.1.3 */
function literalOf(hostname: string): string {
  if (isIP(hostname) === 4) return `[${hostname}]`
  return hostname.replace(/^\[(.*)\]$/, '[IPv6:$1]')
}
