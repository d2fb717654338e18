/** Access tokens with which the service signs in at a mail server: from a file, or from a token endpoint (RFC 6749). */
import { readFile } from 'node:fs/promises'
import { type Expiring, ExpiringValue } from '../../core/expiring-value.ts'
import { boundedFetch } from '../../core/outgoing/bounded-fetch.ts'
import { OutgoingFailure } from '../../core/outgoing/guarded-fetch.ts'
import type { Config } from '../../core/settings/config.ts'

export interface RelayTokens {
  /** @throws SignInFailure */
  get(): Promise<string>
  /** Forgets a token that the mail server has refused, so that `get` asks for another one. */
  drop(token: string): void
}

/** The service cannot sign in at the mail server. The reason is shown to administrators. */
export class SignInFailure extends Error {
  /** The text without what nodemailer appends to the message. */
  readonly reason: string

  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}

export type TokenConfig = Pick<
  Config,
  'smtpTokenFile' | 'smtpTokenUrl' | 'smtpClientId' | 'smtpClientSecret' | 'smtpRefreshToken' | 'smtpScope'
>

/** @returns `null` if the settings name no tokens */
export function relayTokens(config: TokenConfig): RelayTokens | null {
  const { smtpTokenFile, smtpTokenUrl } = config
  if (smtpTokenFile !== null) return { get: () => readToken(smtpTokenFile), drop: () => undefined }
  if (smtpTokenUrl === null) return null
  // Microsoft and others also return a new refresh token, which is used from then on. The configured one stays valid.
  let refreshToken = config.smtpRefreshToken
  const requestToken = async () => {
    const answer = await askForToken(new URL(smtpTokenUrl), { ...config, smtpRefreshToken: refreshToken })
    refreshToken = answer.refreshToken ?? refreshToken
    return answer
  }
  return new ExpiringValue(requestToken, marginMs)
}

/** A token is replaced this long before it expires, because it could otherwise expire on its way. */
const marginMs = 60_000
const limits = { timeoutMs: 10_000, maxBytes: 64 * 1024 }
/** How long a token is used if the endpoint does not say how long it is valid. */
const unknownValidSeconds = 300

/** Reads the file each time, because another program replaces it before the token expires. */
async function readToken(file: string): Promise<string> {
  const token = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new SignInFailure(`SMTP_TOKEN_FILE cannot be read (${cause.code}).`, { cause })
  })
  if (!isToken(token.trim())) throw new SignInFailure('SMTP_TOKEN_FILE has no access token.')
  return token.trim()
}

interface Answer extends Expiring<string> {
  refreshToken: string | null
}

async function askForToken(url: URL, config: TokenConfig): Promise<Answer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
  const request = { method: 'POST', headers, body: grantOf(config).toString() }
  const { status, body } = await boundedFetch(url, request, limits).catch((cause: unknown) => {
    if (cause instanceof OutgoingFailure)
      throw new SignInFailure(`SMTP_TOKEN_URL does not work: ${cause.message}`, { cause })
    throw cause
  })
  const answer = parseAnswer(body)
  if (status !== 200) throw new SignInFailure(`SMTP_TOKEN_URL answers ${status}: ${describe(answer)}`)
  const { access_token: token, expires_in: seconds, refresh_token: refreshToken } = answer
  if (typeof token !== 'string' || !isToken(token))
    throw new SignInFailure('SMTP_TOKEN_URL has sent no access token.')
  const isKnown = Number(seconds) > 0
  return {
    value: token,
    validMs: (isKnown ? Number(seconds) : unknownValidSeconds) * 1000,
    refreshToken: typeof refreshToken === 'string' ? refreshToken : null,
  }
}

/** Makes the request: with a refresh token for a user (section 6), otherwise for the application (section 4.4). */
function grantOf({
  smtpClientId,
  smtpClientSecret,
  smtpRefreshToken,
  smtpScope,
}: TokenConfig): URLSearchParams {
  const grant = smtpRefreshToken === null ? 'client_credentials' : 'refresh_token'
  return new URLSearchParams({
    grant_type: grant,
    client_id: smtpClientId ?? '',
    ...(smtpClientSecret !== null && { client_secret: smtpClientSecret }),
    ...(smtpRefreshToken !== null && { refresh_token: smtpRefreshToken }),
    ...(smtpScope !== null && { scope: smtpScope }),
  })
}

function parseAnswer(body: string): Record<string, unknown> {
  try {
    const answer: unknown = JSON.parse(body)
    return typeof answer === 'object' && answer !== null ? { ...answer } : {}
  } catch {
    return {} // many servers answer an error with a page
  }
}

function describe({ error, error_description: text }: Record<string, unknown>): string {
  if (typeof error !== 'string') return 'without a reason'
  return typeof text === 'string' ? `${error}: ${text}` : error
}

/** Tokens have only these characters (RFC 6750, section 2.1). Others could end the command that has the token. */
function isToken(text: string): boolean {
  return /^[\w.~+/-]+=*$/.test(text)
}
