/** Counts what is held at once under each key, and grants a further permit only below a bound. */
export class ConcurrencyLimiter {
  readonly #held = new Map<string, number>()
  #total = 0

  /** Permits that are held under all keys together. */
  get total(): number {
    return this.#total
  }

  held(key: string): number {
    return this.#held.get(key) ?? 0
  }

  /**
   * @param max how many permits the key may have at present, this one included
   * @returns gives the permit back, once however often it is called; `null` when the key has as many as it may
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
    if (left > 0) this.#held.set(key, left)
    else this.#held.delete(key)
    this.#total--
  }
}

/**
 * How many of a common pool one holder may have: a quarter of all at most, and never more than are still free.
 * So one holder leaves three quarters to the others, and even many together leave each newcomer something.
 */
export function fairShare(max: number, used: number): number {
  return Math.max(1, Math.min(Math.floor(max / 4), max - used))
}
