/** Slows down attempts to guess a password, without delaying the owner of the account for long. */
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { refusal } from '../../core/errors.ts'
import type { Limit } from '../../database/limit.ts'

/** Failures of one network that cause no wait, because users mistype. */
const freeFailures = 5
/** The failures of all networks from which the user has never signed in. More indicate a distributed attack. */
const maxFailuresOfNewNetworks = 20
const maxWaitSeconds = 30
export const failureMemorySeconds = 15 * 60

export const backoffLimit: Limit = {
  name: 'failed sign-ins',
  kind: 'rate',
  bounds: {
    'account, from new addresses': `${maxFailuresOfNewNetworks} in ${failureMemorySeconds / 60} minutes`,
    'address and account': `${freeFailures - 1} in ${failureMemorySeconds / 60} minutes`,
  },
  beyond: `the next attempt waits 1, 2, 4, … up to ${maxWaitSeconds} seconds; an earlier one gets 429 with \`Retry-After\``,
  page: 'api/rate-limits.md#sign-in',
}

export interface AttemptKeys {
  /** Counts the sign-in name in one network, so that failures of other networks cause no wait. */
  network: string
  /** Counts the sign-in name in all networks that are new to the account; `null` for a known network. */
  newNetworks: string | null
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
   * Verifies credentials. The attempt counts as failed from its beginning, so that simultaneous attempts are counted.
   * The fifth failure starts a wait of 1 s, and each further one doubles it, up to 30 s. While many networks guess,
   * each network that is new to the account has one attempt in 30 s. If `verify` throws, the attempt does not count.
   * @param verify resolves to `null` for a failure
   * @returns the result of `verify`
   * @throws ServiceError `tooManyRequests`, also for accounts that do not exist; what `verify` throws
   */
  async attempt<T extends string>(keys: AttemptKeys, verify: () => Promise<T | null>): Promise<T | null> {
    const waited = await this.#begin(keys)
    let result: T | null
    try {
      result = await verify()
    } catch (error) {
      await this.#withdraw(keys)
      if (waited) await this.#waits.delete(keys.network)
      throw error
    }
    if (result !== null) await this.#succeeded(keys)
    return result
  }

  /** @returns whether the attempt has used a wait */
  async #begin(keys: AttemptKeys): Promise<boolean> {
    const waitSeconds = await this.#waitAfter(keys)
    if (waitSeconds === 0) return false
    try {
      await this.#waits.consume(keys.network, 1, { customDuration: waitSeconds })
      return true
    } catch (refused) {
      if (refused instanceof Error) throw refused
      await this.#withdraw(keys)
      const { msBeforeNext } = refused as { msBeforeNext: number } // the library rejects with the state itself
      const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
      throw refusal('tooManyFailedSignIns', {}, { retryAfterSeconds })
    }
  }

  /** Counts the attempt. @returns the wait before the next attempt of the network, in seconds */
  async #waitAfter({ network, newNetworks }: AttemptKeys): Promise<number> {
    const [ofNetwork, ofNewNetworks] = await Promise.all([
      this.#failures.penalty(network, 1),
      newNetworks === null ? null : this.#failures.penalty(newNetworks, 1),
    ])
    if ((ofNewNetworks?.consumedPoints ?? 0) > maxFailuresOfNewNetworks) return maxWaitSeconds
    const excess = ofNetwork.consumedPoints - freeFailures
    return excess < 0 ? 0 : Math.min(2 ** excess, maxWaitSeconds)
  }

  /** Uncounts an attempt. A count of zero is deleted, so that attempts with invented names leave no rows. */
  async #withdraw({ network, newNetworks }: AttemptKeys): Promise<void> {
    for (const key of newNetworks === null ? [network] : [network, newNetworks]) {
      const { consumedPoints } = await this.#failures.reward(key, 1)
      if (consumedPoints <= 0) await this.#failures.delete(key)
    }
  }

  /** Resets the count of this network. Failures of other networks continue to count. */
  async #succeeded(keys: AttemptKeys): Promise<void> {
    await this.#withdraw(keys)
    await this.#failures.delete(keys.network)
    await this.#waits.delete(keys.network)
  }
}
