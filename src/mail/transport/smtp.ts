/** Sends mails to a mail server over a few connections, which are opened when the first mail is sent. */
import { BlockList, isIP } from 'node:net'
import type { Transporter } from 'nodemailer'
import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import { needsUtf8 } from '../../core/mail-address.ts'
import { messageOf } from './message.ts'
import { type RelayTokens, SignInFailure } from './relay-token.ts'
import { offersUtf8 } from './smtp-utf8.ts'
import { MailRefused, type MailTransport, type OutgoingMail } from './transport.ts'
import { xoauth2 } from './xoauth2.ts'

/** The most connections. The queue sends at most as many mails at once. */
const maxConnections = 5
const connectMs = 10_000
/** The longest silence of the server. */
const silenceMs = 20_000

export interface SmtpOptions {
  /** `smtp://…` or `smtps://…` */
  url: URL
  /** The deadline of one mail, from connecting to the reply of the server. */
  deadlineMs: number
  /**
   * The name of the service for the server (RFC 5321, section 4.1.1.1). Some refuse an
   * address, or a name without a dot.
   */
  name: string
  /** The only trusted certificate authority, in PEM. If absent, those of Node.js are trusted. */
  ca?: string | undefined
  /** Access tokens that replace a password; `null` if there are none. */
  tokens: RelayTokens | null
}

export class SmtpTransport implements MailTransport {
  readonly #options: SmtpOptions
  #transporter: Promise<Transporter> | null = null
  #takesUtf8 = false

  constructor(options: SmtpOptions) {
    this.#options = options
  }

  async send(mail: OutgoingMail): Promise<void> {
    this.#transporter ??= connect(this.#options)
    const transporter = await this.#transporter
    if (needsUtf8(mail.to) || needsUtf8(mail.from.address)) await this.#requireUtf8(mail)
    // The time-outs of nodemailer limit only silence, so a server could reply a byte at a time.
    const signal = AbortSignal.timeout(this.#options.deadlineMs)
    try {
      await transporter.sendMail({ ...messageOf(mail), signal })
    } catch (error) {
      if (signal.aborted) throw new Error('The mail server did not reply in time.', { cause: error })
      throw readFailure(error)
    }
  }

  /** Refuses the mail if the server does not take such addresses, because nodemailer would send it nevertheless. */
  async #requireUtf8({ to }: OutgoingMail): Promise<void> {
    this.#takesUtf8 ||= await offersUtf8(connectionOf(this.#options), this.#options.deadlineMs)
    if (this.#takesUtf8) return
    const which = needsUtf8(to) ? 'the recipient' : 'MAIL_FROM'
    throw new MailRefused(
      `The mail server does not take addresses like that of ${which}: before the @ it has letters that are not ASCII, and the server does not offer SMTPUTF8 (RFC 6531).`,
    )
  }

  close(): void {
    const closing = this.#transporter
    this.#transporter = null
    void closing?.then((transporter) => transporter.close({ force: true }))
  }
}

/** Loads nodemailer only when the first mail is sent, because many services never send one. */
async function connect(options: SmtpOptions): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({ ...connectionOf(options), pool: true, maxConnections, maxRequeues: 1 })
}

function connectionOf({ url, name, ca, tokens }: SmtpOptions) {
  const isSecure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const hasLogin = url.username !== ''
  // Nobody can intercept a connection to this machine, and a local server often has a self-signed certificate.
  const isUnchecked = isLoopback(host) && !hasLogin && ca === undefined
  return {
    name,
    host,
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    secure: isSecure,
    // Without this, an attacker on the way could remove STARTTLS and read the password.
    requireTLS: !isSecure && hasLogin && !isLoopback(host),
    ...(hasLogin && signInOf(url, tokens)),
    tls: { ...(ca !== undefined && { ca }), ...(isUnchecked && { rejectUnauthorized: false }) },
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: silenceMs,
    logger: false,
  } satisfies SMTPConnectionOptions & { auth?: unknown }
}

function signInOf(url: URL, tokens: RelayTokens | null) {
  const user = decodeURIComponent(url.username)
  if (url.password !== '' || tokens === null)
    return { auth: { user, pass: decodeURIComponent(url.password) } }
  return { auth: { user, method: 'XOAUTH2' }, customAuth: { XOAUTH2: xoauth2(user, tokens) } }
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

function isLoopback(host: string): boolean {
  const family = isIP(host)
  return family === 0 ? host === 'localhost' : loopback.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

/** A refusal of these commands is about the mail itself. A refusal of others is about the service or its settings. */
const commandsOfMail: ReadonlySet<string> = new Set(['RCPT TO', 'DATA'])

function readFailure(error: unknown): Error {
  if (error instanceof SignInFailure) return new Error(error.reason, { cause: error })
  if (!(error instanceof Error)) return new Error('The mail was not sent.', { cause: error })
  const { command, responseCode, response } = error as {
    command?: unknown
    responseCode?: unknown
    response?: unknown
  } // as nodemailer adds them
  if (typeof response !== 'string' || typeof responseCode !== 'number') return error
  const isOfMail = typeof command === 'string' && commandsOfMail.has(command)
  const isForEver = responseCode >= 500 && isOfMail
  const text = command === 'API' || typeof command !== 'string' ? response : `${command}: ${response}`
  return isForEver ? new MailRefused(text, { cause: error }) : new Error(text, { cause: error })
}
