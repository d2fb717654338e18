/** Makes one attempt to send a mail. No transaction is open meanwhile. */
import type { Shared, Tenant } from '../../core/context.ts'
import { tenantContext } from '../../core/create-context.ts'
import { plainName } from '../../core/display-name.ts'
import type { MailSender } from '../../core/mail-address.ts'
import { failureText } from '../../core/queue/failure-text.ts'
import { brandOf } from '../../core/tenant/brand.ts'
import { oneLine, renderTemplate } from '../render/render.ts'
import { mailPurpose } from '../send.ts'
import { MailRefused, type MailTransport } from '../transport/transport.ts'
import type { DueMail } from './sql.ts'

export interface AttemptOptions {
  shared: Shared
  tenant: Tenant
  transport: MailTransport
  from: MailSender
}

export interface MailOutcome {
  /** Why the attempt failed; `null` after a success. */
  error: string | null
  /** Whether the mail server refuses the mail for ever. */
  isForEver: boolean
}

/** Sends the mail. The promise never rejects. */
export async function attemptMail(mail: DueMail, options: AttemptOptions): Promise<MailOutcome> {
  const { shared } = options
  let values: unknown = null
  try {
    values = JSON.parse(shared.secretBox.decrypt(mail.content ?? new Uint8Array(), mailPurpose))
    await send(mail, values, options)
    return { error: null, isForEver: false }
  } catch (error) {
    const { id, tenantId, template, attempts } = mail
    const text = describe(error, values)
    // The error itself is not logged, because it may repeat what the mail says.
    shared.log.warn({ id, tenantId, template, attempt: attempts + 1, error: text }, 'mail not sent')
    return { error: text, isForEver: error instanceof MailRefused }
  }
}

async function send(
  mail: DueMail,
  values: unknown,
  { shared, tenant, transport, from }: AttemptOptions,
): Promise<void> {
  const { id, tenantId, template, recipient: to } = mail
  const shown = await brandOf(tenantContext(shared, tenant, shared.catalogueDatabase))
  const { locale } = shown
  const { isLogoForMails, darkLogoUrl: _dark, ...look } = shown.brand
  const logoUrl = isLogoForMails ? look.logoUrl : null
  const brand = { ...look, logoUrl, name: plainName(look.name) }
  const rendered = renderTemplate(shared.mails.declared, template, values, {
    brand,
    locale: mail.locale ?? locale,
  })
  const sender = { name: oneLine(from.name ?? brand.name), address: from.address }
  const createdAt = new Date(mail.createdAt)
  await transport.send({ ...rendered, id, tenantId, template, from: sender, to, createdAt })
}

const maxErrorLength = 500
const minSecretLength = 6

/**
 * Describes the error for administrators. Replies of mail servers can repeat the mail, so
 * its links and codes are removed.
 */
function describe(error: unknown, values: unknown): string {
  const isReply = error instanceof Error && !('code' in error) // errors of connections have a code
  const text = failureText(error) ?? (isReply ? '' : connectionFault(error))
  let shown = text.replaceAll(/https?:\S+/gi, '[link]')
  // The longest first: if a shorter one is a part of it, the rest of the longer one would remain.
  const secrets = secretsOf(values).toSorted((one, other) => other.length - one.length)
  for (const secret of secrets) shown = shown.replaceAll(secret, '[…]')
  return shown.slice(0, maxErrorLength).toWellFormed()
}

/** Names a fault that the operator can mend, without the host names and addresses that the error has. */
function connectionFault(error: unknown): string {
  const code = findCode(error)
  const reason = code === null ? undefined : reasons[code]
  if (reason !== undefined) return `The mail server ${reason} (${code}).`
  if (code !== null && isOfCertificate(code))
    return `The certificate of the mail server is not accepted (${code}).`
  const text = 'The mail server cannot be reached, or ended the connection'
  return code === null ? `${text}.` : `${text} (${code}).`
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'has a name that no name server knows',
  EDNS: 'has a name that no name server knows',
  EAI_AGAIN: 'has a name that the name servers do not answer for',
  ECONNREFUSED: 'refuses connections',
  ECONNRESET: 'ended the connection',
  ETIMEDOUT: 'did not reply in time',
  EHOSTUNREACH: 'has an address that cannot be reached',
  ENETUNREACH: 'has an address that cannot be reached',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS on this port',
}

/** Codes of OpenSSL, such as `DEPTH_ZERO_SELF_SIGNED_CERT`. */
function isOfCertificate(code: string): boolean {
  return /CERT|SIGNATURE|CRL|ISSUER/.test(code)
}

/** Finds the code of the system, which nodemailer wraps in an error with a code of its own. */
function findCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const inner = findCode(error.cause)
  if (inner !== null) return inner
  const { originalCode, code } = error as { originalCode?: unknown; code?: unknown } // as nodemailer adds them
  const found = originalCode ?? code
  return typeof found === 'string' && /^[A-Z_0-9]+$/.test(found) ? found : null
}

/** @returns each text in the value, and its long parts, such as the token of a link */
function secretsOf(value: unknown): string[] {
  if (typeof value === 'string')
    return [value, ...(value.match(/[\w-]{12,}/g) ?? [])].filter((text) => text.length >= minSecretLength)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretsOf) : []
}
