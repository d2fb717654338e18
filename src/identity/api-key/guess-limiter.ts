import { ServiceError } from '../../core/errors.ts'
import type { Limit } from '../../database/limit.ts'
import { LruMap } from '../../database/lru-map.ts'

/**
 * The most unknown keys of one network in a window. Looking for them takes one
 * thousandth of the time of a database.
 */
const maxGuesses = 100
const windowMs = 10_000
/** The most networks whose guesses are counted. */
const maxNetworks = 20_000

export const guessLimit: Limit = {
  name: 'unknown API keys, tokens of portals, refused sign-out tokens, and returns from providers that sign nobody in, each',
  kind: 'rate',
  bounds: { address: `${maxGuesses} in ${windowMs / 1000} seconds` },
  beyond: '429 with `Retry-After`',
  page: 'identity/api-keys.md#refusals',
}

interface Window {
  guesses: number
  endsAtMs: number
}

/** Limits how often each network makes the service query for a key that does not exist. */
export class GuessLimiter {
  readonly #windows = new LruMap<string, Window>(maxNetworks)

  /** @returns a function that uncounts the guess, for a key that exists @throws ServiceError `tooManyRequests` */
  count(network: string): () => void {
    const nowMs = performance.now()
    let window = this.#windows.peek(network)
    if (window === undefined || window.endsAtMs <= nowMs) {
      window = { guesses: 0, endsAtMs: nowMs + windowMs }
      this.#windows.set(network, window)
    }
    if (window.guesses >= maxGuesses) {
      const retryAfterSeconds = Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1000))
      throw new ServiceError('tooManyRequests', undefined, { retryAfterSeconds })
    }
    window.guesses++
    return () => {
      window.guesses--
    }
  }
}
