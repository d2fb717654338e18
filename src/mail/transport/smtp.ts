/** Sends mails to a mail server over few connections, which are opened when the first mail is sent. */
import { BlockList, isIP } from 'node:net'
import type { Transporter } from 'nodemailer'
import { messageOf } from './message.ts'
import { MailRefused, type MailTransport, type OutgoingMail } from './transport.ts'

/** More than the queue sends at once would stay unused. */
const maxConnections = 5
const connectMs = 10_000
/** Of silence of the server. */
const silenceMs = 20_000

export interface SmtpOptions {
  /** `smtp://…` or `smtps://…` */
  url: URL
  /** For one mail, from connecting to the reply of the server. */
  deadlineMs: number
  /** What the service calls itself (RFC 5321, section 4.1.1.1): some servers refuse a name without a dot, or an address. */
  name: string
  /** A certificate authority in PEM, besides which no other is trusted; those of Node.js if absent. */
  ca?: string | undefined
}

export class SmtpTransport implements MailTransport {
  readonly #options: SmtpOptions
  #transporter: Promise<Transporter> | null = null

  constructor(options: SmtpOptions) {
    this.#options = options
  }

  async send(mail: OutgoingMail): Promise<void> {
    this.#transporter ??= connect(this.#options)
    const transporter = await this.#transporter
    // The time-outs of nodemailer are of silence only: a server could reply a byte at a time.
    const signal = AbortSignal.timeout(this.#options.deadlineMs)
    try {
      await transporter.sendMail({ ...messageOf(mail), signal })
    } catch (error) {
      if (signal.aborted) throw new Error('The mail server did not reply in time.', { cause: error })
      throw readFailure(error)
    }
  }

  close(): void {
    const closing = this.#transporter
    this.#transporter = null
    void closing?.then((transporter) => transporter.close({ force: true }))
  }
}

/** Loads nodemailer only now: many services never send a mail. */
async function connect({ url, name, ca }: SmtpOptions): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const isSecure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const hasLogin = url.username !== ''
  // Nobody is between, and a server that comes with a system has a certificate that nobody has signed.
  const isUnchecked = isLoopback(host) && !hasLogin && ca === undefined
  const tls = { ...(ca !== undefined && { ca }), ...(isUnchecked && { rejectUnauthorized: false }) }
  return createTransport({
    pool: true,
    name,
    host,
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    secure: isSecure,
    // Otherwise whoever is between could remove STARTTLS, and read the password.
    requireTLS: !isSecure && hasLogin && !isLoopback(host),
    ...(hasLogin && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    tls,
    maxConnections,
    maxRequeues: 1,
    ...{ connectionTimeout: connectMs, greetingTimeout: connectMs, dnsTimeout: connectMs },
    socketTimeout: silenceMs,
    logger: false,
  })
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

function isLoopback(host: string): boolean {
  const family = isIP(host)
  return family === 0 ? host === 'localhost' : loopback.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

/** The commands whose refusal is about the mail itself; any other one is about the service or its settings. */
const commandsOfMail: ReadonlySet<string> = new Set(['RCPT TO', 'DATA'])

function readFailure(error: unknown): Error {
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
