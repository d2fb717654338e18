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
   * Judges an attempt, which counts as failed from its begin on, so that simultaneous ones do not slip through
   * together. The fifth failure starts a wait of 1 s, each further one of twice the one before, up to 30 s. An attempt
   * that could not be judged does not count.
   * @returns what the judge says
   * @throws ServiceError `tooManyRequests`, for accounts that do not exist as well; whatever the judge throws
   */
  async attempt(key: string, judge: () => Promise<boolean>): Promise<boolean> {
    const waited = await this.#begin(key)
    let isCorrect: boolean
    try {
      isCorrect = await judge()
    } catch (error) {
      await this.#withdraw(key)
      if (waited) await this.#waits.delete(key)
      throw error
    }
    if (isCorrect) await this.#succeeded(key)
    return isCorrect
  }

  /** @returns whether the attempt had to wait for its turn */
  async #begin(key: string): Promise<boolean> {
    const { consumedPoints } = await this.#failures.penalty(key, 1)
    const beyond = consumedPoints - freeFailures
    if (beyond < 0) return false
    try {
      await this.#waits.consume(key, 1, { customDuration: Math.min(2 ** beyond, maxWaitSeconds) })
      return true
    } catch (refused) {
      if (refused instanceof Error) throw refused
      await this.#withdraw(key)
      const { msBeforeNext } = refused as { msBeforeNext: number } // the library rejects with the state itself
      throw new ServiceError('tooManyRequests', 'Too many failed sign-ins. Try again later.', {
        retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
      })
    }
  }

  /** A count of nothing is not kept: what is not judged leaves no trace, however many names are tried. */
  async #withdraw(key: string): Promise<void> {
    const { consumedPoints } = await this.#failures.reward(key, 1)
    if (consumedPoints <= 0) await this.#failures.delete(key)
  }

  async #succeeded(key: string): Promise<void> {
    await this.#failures.delete(key)
    await this.#waits.delete(key)
  }
}
