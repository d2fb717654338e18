import { OutgoingFailure } from '../../core/outgoing/guarded-fetch.ts'

/** The provider refuses, fails, or says what is not true. Its message may be shown to administrators. */
export class ProviderFailure extends Error {}

/** Whatever a provider answers is its failure, and never one of the service. */
export async function providerAnswer<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ProviderFailure) throw error
    throw new ProviderFailure(describe(error), { cause: error })
  }
}

function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof OutgoingFailure ? error.cause : error
  if (cause instanceof OutgoingFailure) return cause.message
  const claim = claimOf(error)
  const text = textOf(error)
  const reason = claim === null ? text : `${text} (${claim})`
  return `The answer of the provider is not accepted: ${reason.slice(0, maxReasonLength)}`
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

const maxReasonLength = 300
