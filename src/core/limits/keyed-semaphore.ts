/**
 * Bounds concurrent work on many keys, such as databases. Work that takes too long loses its permit to the next key,
 * and continues without one, so that a hanging database does not block the others.
 */

interface Waiter {
  key: string
  work(): Promise<void>
  /** Called when the permit is given back, or the key is removed while it waits. */
  release(): void
}

export class KeyedSemaphore {
  readonly #maxPermits: number
  readonly #maxHoldMs: number
  #inUse = 0
  /** The keys whose work waits or runs. */
  readonly #present = new Set<string>()
  readonly #waiting: Waiter[] = []
  /** The waiters that are served only when no other key waits. */
  readonly #lowPriority: Waiter[] = []
  readonly #working = new Set<Promise<void>>()

  /** @param maxHoldMs how long a permit is held at most */
  constructor(maxPermits: number, maxHoldMs: number) {
    this.#maxPermits = maxPermits
    this.#maxHoldMs = maxHoldMs
  }

  /** Whether the work of the key waits or runs. */
  has(key: string): boolean {
    return this.#present.has(key)
  }

  /**
   * Works when a permit is free, in the order of the calls. A key that waits or works already is ignored.
   * @param work handles its own failures @param isLowPriority other keys go first
   * @returns a promise that resolves when the permit is released: the work is done, or has kept it for too long
   */
  run(key: string, work: () => Promise<void>, isLowPriority = false): Promise<void> {
    if (this.#present.has(key)) return Promise.resolve()
    this.#present.add(key)
    return new Promise((resolve) => {
      const waiting = isLowPriority ? this.#lowPriority : this.#waiting
      waiting.push({ key, work, release: resolve })
      this.#fill()
    })
  }

  /** Waits until all work is done, with or without a permit. */
  async settled(): Promise<void> {
    while (this.#working.size > 0) await Promise.all(this.#working)
  }

  /** Removes the keys that wait. */
  clear(): void {
    for (const { key, release } of [...this.#waiting.splice(0), ...this.#lowPriority.splice(0)]) {
      this.#present.delete(key)
      release()
    }
  }

  #fill(): void {
    while (this.#inUse < this.#maxPermits) {
      const next = this.#waiting.shift() ?? this.#lowPriority.shift()
      if (next === undefined) return
      this.#begin(next)
    }
  }

  #begin({ key, work, release }: Waiter): void {
    this.#inUse++
    let isHeld = true
    const releasePermit = (): void => {
      if (!isHeld) return
      isHeld = false
      this.#inUse--
      release()
      this.#fill()
    }
    const timer = setTimeout(releasePermit, this.#maxHoldMs).unref()
    const working = work().finally(() => {
      clearTimeout(timer)
      this.#working.delete(working)
      this.#present.delete(key)
      releasePermit()
    })
    this.#working.add(working)
  }
}
