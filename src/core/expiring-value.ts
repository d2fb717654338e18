/**
 * Keeps a value that comes from another server and expires, such as a token. All callers share one request for it, and
 * the value is renewed before it expires.
 */

export interface Expiring<T> {
  value: T
  /** The remaining validity in milliseconds; `Infinity` for a value that does not expire. */
  validMs: number
}

interface Kept<T> {
  value: T
  /** Times of `performance.now`. */
  renewAtMs: number
  endsAtMs: number
}

export class ExpiringValue<T> {
  readonly #ask: () => Promise<Expiring<T>>
  readonly #marginMs: number
  #kept: Kept<T> | null = null
  #asking: Promise<Kept<T>> | null = null

  /** @param marginMs how long before its end the value is asked for again */
  constructor(ask: () => Promise<Expiring<T>>, marginMs: number) {
    this.#ask = ask
    this.#marginMs = marginMs
  }

  /** If a renewal fails, the present value is used until it expires. @throws what `ask` throws */
  async get(): Promise<T> {
    const kept = this.#kept
    if (kept !== null && performance.now() < kept.renewAtMs) return kept.value
    this.#asking ??= this.#renew().finally(() => {
      this.#asking = null
    })
    try {
      return (await this.#asking).value
    } catch (error) {
      if (kept !== null && this.#kept === kept && performance.now() < kept.endsAtMs) return kept.value
      throw error
    }
  }

  /** Forgets a value that the other server has refused, unless a newer value is kept already. */
  drop(value: T): void {
    if (this.#kept?.value === value) this.#kept = null
  }

  async #renew(): Promise<Kept<T>> {
    const { value, validMs } = await this.#ask()
    const endsAtMs = performance.now() + validMs
    this.#kept = { value, endsAtMs, renewAtMs: endsAtMs - this.#marginMs }
    return this.#kept
  }
}
