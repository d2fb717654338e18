/**
 * Keys that are kept without permits. A `Map` that every request enters and leaves is rebuilt again and again, and its
 * abandoned tables stay until a full garbage collection.
 */
const maxIdleKeys = 100

/** Limits concurrency by key: counts the permits of each key, and grants another one below a bound. */
export class ConcurrencyLimiter {
  readonly #held = new Map<string, number>()
  #total = 0

  /** Permits of all keys together. */
  get total(): number {
    return this.#total
  }

  held(key: string): number {
    return this.#held.get(key) ?? 0
  }

  /**
   * @param max permits of the key, including this one
   * @returns releases the permit, further calls do nothing; `null` when the key holds `max` permits
   */
  acquire(key: string, max: number): (() => void) | null {
    const held = this.held(key)
    if (held >= max) return null
    this.#held.set(key, held + 1)
    this.#total++
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#release(key)
    }
  }

  #release(key: string): void {
    const left = this.held(key) - 1
    if (left > 0 || this.#held.size <= maxIdleKeys) this.#held.set(key, left)
    else this.#held.delete(key)
    this.#total--
  }
}

/**
 * The number of permits that one holder may have: at most a quarter of all, and at most as many as are free. One holder
 * leaves three quarters to others, and many holders together leave some to a new one.
 */
export function fairShare(max: number, used: number): number {
  return Math.max(1, Math.min(Math.floor(max / 4), max - used))
}
