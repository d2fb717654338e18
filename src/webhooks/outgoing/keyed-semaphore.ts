/** A few places for work on many databases: one that is slow or silent loses its place, and its work goes on. */

interface Waiting {
  key: string
  work(): Promise<void>
  left(): void
}

export class KeyedSemaphore {
  readonly #most: number
  readonly #holdMs: number
  #taken = 0
  /** Whoever waits or is at work, so that nobody is there twice. */
  readonly #present = new Set<string>()
  readonly #waiting: Waiting[] = []
  /** Served when nobody else waits. */
  readonly #behind: Waiting[] = []
  readonly #working = new Set<Promise<void>>()

  /** @param most places there are @param holdMs a place is kept for so long at most */
  constructor(most: number, holdMs: number) {
    this.#most = most
    this.#holdMs = holdMs
  }

  /** Whether it waits or is at work. */
  has(key: string): boolean {
    return this.#present.has(key)
  }

  /**
   * Works as soon as a place is free, in the order in which they came. One that is present already is not let in.
   * @param work deals with its own failures @param isBehind the others that wait go first
   * @returns when the place is free again: the work is done, or too slow to be waited for
   */
  enter(key: string, work: () => Promise<void>, isBehind = false): Promise<void> {
    if (this.#present.has(key)) return Promise.resolve()
    this.#present.add(key)
    return new Promise((resolve) => {
      const line = isBehind ? this.#behind : this.#waiting
      line.push({ key, work, left: resolve })
      this.#fill()
    })
  }

  /** Waits until all have worked, those without a place too. */
  async settled(): Promise<void> {
    while (this.#working.size > 0) await Promise.all(this.#working)
  }

  /** Sends away those that wait. */
  clear(): void {
    for (const { key, left } of [...this.#waiting.splice(0), ...this.#behind.splice(0)]) {
      this.#present.delete(key)
      left()
    }
  }

  #fill(): void {
    while (this.#taken < this.#most) {
      const next = this.#waiting.shift() ?? this.#behind.shift()
      if (next === undefined) return
      this.#serve(next)
    }
  }

  #serve({ key, work, left }: Waiting): void {
    this.#taken++
    let isHere = true
    const leave = (): void => {
      if (!isHere) return
      isHere = false
      this.#taken--
      left()
      this.#fill()
    }
    const timer = setTimeout(leave, this.#holdMs).unref()
    const working = work().finally(() => {
      clearTimeout(timer)
      this.#working.delete(working)
      this.#present.delete(key)
      leave()
    })
    this.#working.add(working)
  }
}
