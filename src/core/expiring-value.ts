/**
 * Keeps a value from elsewhere that expires, such as a token. All callers share one request, and it is renewed in
 * time.
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

  /** A failed renewal leaves the present value as long as it is valid. @throws as `ask` */
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

  /** @param value a value that was refused. A newer one stays. */
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
