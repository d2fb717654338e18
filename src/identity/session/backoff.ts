/** Slows down guessing the password of an account, without delaying its owner for long. */
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { ServiceError } from '../../core/errors.ts'

/** Failures of one network without a wait: people mistype. */
const freeFailures = 5
/** Failures of all networks that are new to the account, together. More indicate a distributed attack. */
const tolerableFailures = 20
const maxWaitSeconds = 30
export const failureMemorySeconds = 15 * 60

/** The keys by which an attempt is counted. */
export interface AttemptKeys {
  /** Counts the given name in one network, so that failures of other networks cause no wait. */
  own: string
  /** Counts the account in all networks that are new to it; `null` for a known network. */
  strangers: string | null
}

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
   * Judges an attempt. It counts as failed from its beginning, so that simultaneous attempts do not slip through
   * together. The fifth failure starts a wait of 1 s, and each further one doubles it, up to 30 s. While many networks
   * guess, each network that is new to the account has one attempt in 30 s. An attempt that could not be judged does
   * not count.
   * @returns the result of the judge
   * @throws ServiceError `tooManyRequests`, for accounts that do not exist as well; whatever the judge throws
   */
  async attempt(keys: AttemptKeys, judge: () => Promise<boolean>): Promise<boolean> {
    const waited = await this.#begin(keys)
    let isCorrect: boolean
    try {
      isCorrect = await judge()
    } catch (error) {
      await this.#withdraw(keys)
      if (waited) await this.#waits.delete(keys.own)
      throw error
    }
    if (isCorrect) await this.#succeeded(keys)
    return isCorrect
  }

  /** @returns whether the attempt had to wait for its turn */
  async #begin(keys: AttemptKeys): Promise<boolean> {
    const waitSeconds = await this.#waitAfter(keys)
    if (waitSeconds === 0) return false
    try {
      await this.#waits.consume(keys.own, 1, { customDuration: waitSeconds })
      return true
    } catch (refused) {
      if (refused instanceof Error) throw refused
      await this.#withdraw(keys)
      const { msBeforeNext } = refused as { msBeforeNext: number } // the library rejects with the state itself
      throw new ServiceError('tooManyRequests', 'Too many failed sign-ins. Try again later.', {
        retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
      })
    }
  }

  /** Counts the attempt. @returns the wait before the next attempt of the network, in seconds */
  async #waitAfter({ own, strangers }: AttemptKeys): Promise<number> {
    const [mine, theirs] = await Promise.all([
      this.#failures.penalty(own, 1),
      strangers === null ? null : this.#failures.penalty(strangers, 1),
    ])
    if ((theirs?.consumedPoints ?? 0) > tolerableFailures) return maxWaitSeconds
    const beyond = mine.consumedPoints - freeFailures
    return beyond < 0 ? 0 : Math.min(2 ** beyond, maxWaitSeconds)
  }

  /** A count of zero is deleted: attempts that were not judged leave no rows, however many names are tried. */
  async #withdraw({ own, strangers }: AttemptKeys): Promise<void> {
    for (const key of strangers === null ? [own] : [own, strangers]) {
      const { consumedPoints } = await this.#failures.reward(key, 1)
      if (consumedPoints <= 0) await this.#failures.delete(key)
    }
  }

  /** Resets the count of the owner's network. Failures of other networks continue to count. */
  async #succeeded(keys: AttemptKeys): Promise<void> {
    await this.#withdraw(keys)
    await this.#failures.delete(keys.own)
    await this.#waits.delete(keys.own)
  }
}
