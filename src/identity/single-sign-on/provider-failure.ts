import { OutgoingFailure } from '../../core/outgoing/guarded-fetch.ts'

/** The provider refuses, fails, or says what is not true. Its message may be shown to administrators. */
export class ProviderFailure extends Error {}

/** Whatever a provider answers is its failure, and never one of the service. */
export async function providerAnswer<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ProviderFailure) throw error
    throw new ProviderFailure(await describe(error), { cause: error })
  }
}

/** Errors of OAuth (RFC 6749, sections 4.1.2.1 and 5.2; RFC 6750, section 3.1). */
interface OAuthError {
  error: string
  error_description?: unknown
}

/** The code of an error with what the provider says of it: bounded, and without links that an administrator follows. */
export function describeOAuthError({ error, error_description: text }: OAuthError): string {
  const code = clean(error, maxCodeLength)
  return typeof text === 'string' && text !== '' ? `${code}: “${clean(text, maxReasonLength)}”` : code
}

/** What tells refusals apart: what a provider says often has the time in it. */
export function withoutQuote(reason: string): string {
  return reason.replace(/“.*”/s, '')
}

async function describe(error: unknown): Promise<string> {
  const cause = error instanceof Error && error.cause instanceof OutgoingFailure ? error.cause : error
  if (cause instanceof OutgoingFailure) return cause.message
  const refusal = await refusalOf(error)
  if (refusal !== null) return `The provider refuses: ${describeOAuthError(refusal)}`
  const claim = claimOf(error)
  const text = textOf(error)
  const reason = claim === null ? text : `${text} (${claim})`
  return `The answer of the provider is not accepted: ${clean(reason, maxReasonLength)}`
}

/** The library reads no body beside a challenge, which an endpoint has to send to a client that it does not know. */
async function refusalOf(error: unknown): Promise<OAuthError | null> {
  if (isOAuthError(error)) return error
  const response = error instanceof Error && 'response' in error ? error.response : null
  if (!(response instanceof Response) || response.bodyUsed) return null
  const body = await response.json().catch(() => null) // many have no body
  return isOAuthError(body) ? body : challengeOf(error)
}

function challengeOf(error: unknown): OAuthError | null {
  const challenges = error instanceof Error && Array.isArray(error.cause) ? error.cause : []
  const found = challenges.map((each: { parameters?: unknown } | null) => each?.parameters).find(isOAuthError)
  return found ?? null
}

function isOAuthError(value: unknown): value is OAuthError {
  return typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'string'
}

/** The library wraps the error that says what is wrong. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason'
  if (error instanceof SyntaxError) return 'it is no JSON' // its message quotes the answer
  return error.cause instanceof Error ? textOf(error.cause) : error.message
}

/** The name of the claim that is wrong, which the library keeps among the causes. */
function claimOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null
  if ('claim' in error && typeof error.claim === 'string') return error.claim
  return 'cause' in error ? claimOf(error.cause) : null
}

function clean(text: string, maxLength: number): string {
  const shown = text
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Z}“”]+/gu, ' ')
    .replaceAll(/\S*(:\/\/|\bwww\.|@|mailto:)\S*/gi, '[link]')
  return shown.trim().slice(0, maxLength)
}

const maxCodeLength = 60
const maxReasonLength = 300
