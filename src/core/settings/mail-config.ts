/** The part of the configuration that concerns mails and the mail server. */
import { isIP } from 'node:net'
import type { MailSender } from '../mail-address.ts'
import type { Settings } from './settings.ts'

export interface MailConfig {
  /** `smtp://…` or `smtps://…`, with user and password; `null`: no mail server. */
  smtpUrl: URL | null
  /** The file with the access token for the mail server; relative to the working directory. */
  smtpTokenFile: string | null
  smtpTokenUrl: URL | null
  smtpClientId: string | null
  smtpClientSecret: string | null
  smtpRefreshToken: string | null
  smtpScope: string | null
  /** The name by which the service introduces itself to the mail server. */
  smtpName: string
  /** The certificate authority of the mail server, in PEM; `null`: those of Node.js. */
  smtpCa: string | null
  mailFrom: MailSender
  mailRetrySeconds: number[]
  mailRetentionDays: number
  /**
   * The maximum number of mails that strangers can cause within a day: of a template in a new tenant, of one
   * network, in all.
   */
  mailNewTenantPerDay: number
  mailNetworkPerDay: number
  mailPerDay: number
  /** Ids of tenants to which `mailNewTenantPerDay` does not apply. */
  mailTrustedTenants: string[]
}

export function mailConfig(read: Settings, baseUrl: string) {
  const { hostname } = new URL(baseUrl)
  return {
    smtpUrl: read.SMTP_URL,
    smtpTokenFile: read.SMTP_TOKEN_FILE,
    smtpTokenUrl: read.SMTP_TOKEN_URL,
    smtpClientId: read.SMTP_CLIENT_ID,
    smtpClientSecret: read.SMTP_CLIENT_SECRET,
    smtpRefreshToken: read.SMTP_REFRESH_TOKEN,
    smtpScope: read.SMTP_SCOPE,
    smtpName: read.SMTP_NAME ?? literalOf(hostname),
    smtpCa: read.SMTP_CA,
    mailFrom: read.MAIL_FROM ?? { name: null, address: `noreply@${hostname}` },
    mailRetrySeconds: read.MAIL_RETRY_SECONDS,
    mailRetentionDays: read.MAIL_RETENTION_DAYS,
    mailNewTenantPerDay: read.MAIL_NEW_TENANT_PER_DAY,
    mailNetworkPerDay: read.MAIL_NETWORK_PER_DAY,
    mailPerDay: read.MAIL_PER_DAY,
    mailTrustedTenants: read.MAIL_TRUSTED_TENANTS,
  }
}

/** @returns why the service could not sign in at the mail server; `null` if it can, or need not */
export function mailSignInFault(read: Settings): string | null {
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
