/** The settings of mails and of the mail server, each with its parser, its default and its description. */
import { existsSync, readFileSync } from 'node:fs'
import { type MailSender, parseSender } from '../mail-address.ts'
import { isThisMachine } from '../outgoing/ip-address.ts'
import { hostOf } from '../outgoing/url.ts'
import { isTenantId } from '../tenant/tenant-id.ts'
import { text as anyText, integer, isDecodable, list, retrySchedule, setting } from './parse.ts'

const defaultRetrySeconds = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800]

export const mailSettings = {
  SMTP_URL: setting(
    smtpUrl,
    null,
    'none: in development mails are kept in the folder `mail` of DATA_DIR, in production none is sent',
    'Mail server: `smtp://<user>:<password>@<host>:587` (STARTTLS), or `smtps://…:465`; without a password the service signs in with an access token (XOAUTH2)',
  ),
  SMTP_TOKEN_FILE: setting(
    anyText,
    null,
    'none',
    'A file with the access token for SMTP_URL, which is read for each connection',
  ),
  SMTP_TOKEN_URL: setting(
    tokenUrl,
    null,
    'none',
    'The token endpoint that issues access tokens for SMTP_URL, such as `https://oauth2.googleapis.com/token`',
  ),
  SMTP_CLIENT_ID: setting(anyText, null, 'none', 'The client id at SMTP_TOKEN_URL'),
  SMTP_CLIENT_SECRET: setting(anyText, null, 'none', 'The client secret at SMTP_TOKEN_URL'),
  SMTP_REFRESH_TOKEN: setting(
    anyText,
    null,
    'none: the token is that of the client itself',
    'The refresh token of the user of SMTP_URL',
  ),
  SMTP_SCOPE: setting(anyText, null, 'none', 'The scope to ask SMTP_TOKEN_URL for'),
  SMTP_NAME: setting(
    mailHost,
    null,
    'the host of BASE_URL',
    'The name with which the service greets the mail server (`EHLO`), such as `app.example.com`',
  ),
  SMTP_CA: setting(
    certificates,
    null,
    'those of Node.js',
    'A file with the certificate authority of the mail server in PEM, or with its certificate if that is self-signed',
  ),
  MAIL_FROM: setting(
    sender,
    null,
    'noreply@ and the host of BASE_URL',
    'Sender of mails: `post@example.com` or `Example <post@example.com>`; without a name that of the tenant is shown',
  ),
  MAIL_RETRY_SECONDS: setting(
    retrySchedule(20),
    defaultRetrySeconds,
    defaultRetrySeconds.join(','),
    'Retry schedule of mails: seconds from each failed attempt to the next, comma-separated, at most 20',
  ),
  MAIL_RETENTION_DAYS: setting(
    integer(1, 3650),
    30,
    '30',
    'How long mails that were sent or given up are listed',
  ),
  MAIL_NEW_TENANT_PER_DAY: setting(
    integer(1, 1_000_000),
    10,
    '10',
    'Mails of one template that others can cause on the first day of a tenant; each further day doubles it',
  ),
  MAIL_TRUSTED_TENANTS: setting(
    list(isTenantId, 'ids of tenants'),
    [],
    'none',
    'Tenants whose mails MAIL_NEW_TENANT_PER_DAY does not limit, comma-separated',
  ),
  MAIL_NETWORK_PER_DAY: setting(
    integer(1, 10_000_000),
    200,
    '200',
    'Mails that the clients of one network can cause within a day',
  ),
  MAIL_PER_DAY: setting(
    integer(1, 10_000_000),
    10_000,
    '10000',
    'Mails that others can cause within a day in the whole installation',
  ),
} as const

/** @throws Error whose message does not repeat the text, because that has a password */
function smtpUrl(value: string): URL {
  const url = URL.parse(value)
  const isServer = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== ''
  if (isServer && /^\/?$/.test(url.pathname) && url.search === '' && url.hash === '' && hasCredentials(url))
    return url
  throw new Error('must be smtp://<user>:<password>@<host>:<port> or smtps://…, percent-encoded')
}

/** Requires HTTPS, except on this machine, because the request has secrets. */
function tokenUrl(value: string): URL {
  const url = URL.parse(value)
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isThisMachine(hostOf(url)))) return url
  throw new Error('must be an address such as https://oauth2.googleapis.com/token')
}

function mailHost(value: string): string {
  if (/^([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)*[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/.test(value))
    return value
  throw new Error('must be a host name such as app.example.com')
}

function certificates(path: string): string {
  if (!existsSync(path)) throw new Error('must be a file that exists')
  const text = readFileSync(path, 'utf8')
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error('must be a file with a certificate in PEM')
  return text
}

/** Whether user and password can be decoded, and there is no password without a user. */
function hasCredentials({ username, password }: URL): boolean {
  return isDecodable(username) && isDecodable(password) && (username !== '' || password === '')
}

function sender(value: string): MailSender {
  const parsed = parseSender(value)
  if (parsed === null) throw new Error('must be one address, such as Example <post@example.com>')
  return parsed
}
