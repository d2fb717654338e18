import { OutgoingFailure } from '../../core/outgoing/guarded-fetch.ts'

/**
 * A failure of an identity provider: it refuses, does not answer, or gives a wrong
 * answer. Administrators see the message.
 */
export class ProviderFailure extends Error {}

/** Runs a request to a provider, and converts every error to a failure of the provider. */
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

/** The code and the description of an error, shortened and without links, which an administrator might follow. */
export function describeOAuthError({ error, error_description: text }: OAuthError): string {
  const code = clean(error, maxCodeLength)
  return typeof text === 'string' && text !== '' ? `${code}: “${clean(text, maxReasonLength)}”` : code
}

/** Removes the text of the provider, which often contains the time, so that equal refusals have equal texts. */
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

/** Reads the error from the body. The library does not, if the reply also has a challenge, as for an unknown client. */
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

/** The innermost error has the reason: the library wraps it in others. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason'
  if (error instanceof SyntaxError) return 'it is no JSON' // its message quotes the answer
  return error.cause instanceof Error ? textOf(error.cause) : error.message
}

/** @returns the name of the wrong claim, which the library stores in one of the causes */
function claimOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null
  if ('claim' in error && typeof error.claim === 'string') return error.claim
  return 'cause' in error ? claimOf(error.cause) : null
}

/** Replaces invisible characters, quotes and links, and shortens the text. */
function clean(text: string, maxLength: number): string {
  const shown = text
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Z}“”]+/gu, ' ')
    .replaceAll(/\S*(:\/\/|\bwww\.|@|mailto:)\S*/gi, '[link]')
  return shown.trim().slice(0, maxLength)
}

const maxCodeLength = 60
const maxReasonLength = 300
