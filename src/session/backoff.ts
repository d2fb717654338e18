/** Slows down whoever guesses the password of one account, and never for long whoever owns it. */
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { ServiceError } from '../errors.ts'

/** Failures that cost nothing: people mistype. */
const freeFailures = 5
const maxWaitSeconds = 30
export const failureMemorySeconds = 15 * 60

export class SignInBackoff {
  readonly #failures: RateLimiterAbstract
  readonly #waits: RateLimiterAbstract

  /**
   * @param failures counts for `failureMemorySeconds`
   * @param waits lets one attempt through for each wait
   */
  constructor(failures: RateLimiterAbstract, waits: RateLimiterAbstract) {
    this.#failures = failures
    this.#waits = waits
  }

  /**
   * Counts an attempt as failed before it is judged, so that simultaneous ones do not slip through together.
   * The fifth starts a wait of 1 s, each further one of twice the one before, up to 30 s.
   * @throws ServiceError `tooManyRequests`, for accounts that do not exist as well
   */
  async begin(key: string): Promise<void> {
    const { consumedPoints } = await this.#failures.penalty(key, 1)
    const beyond = consumedPoints - freeFailures
    if (beyond < 0) return
    try {
      await this.#waits.consume(key, 1, { customDuration: Math.min(2 ** beyond, maxWaitSeconds) })
    } catch (refused) {
      if (refused instanceof Error) throw refused
      await this.#failures.reward(key, 1)
      const { msBeforeNext } = refused as { msBeforeNext: number } // the library rejects with the state itself
      throw new ServiceError('tooManyRequests', 'Too many failed sign-ins. Try again later.', {
        retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
      })
    }
  }

  async succeeded(key: string): Promise<void> {
    await this.#failures.delete(key)
    await this.#waits.delete(key)
  }
}
