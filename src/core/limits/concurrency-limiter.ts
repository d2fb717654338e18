/**
 * Limits work in progress by permits. A permit counts in total, and for each holder on its path, such as a tenant
 * and one of its callers.
 */
import { FairQueue } from '../../database/fair-queue.ts'

/** A holder of permits, and the maximum number that it may have. */
export interface Bound {
  holder: string
  max: number
}

/** Gives a permit back. Further calls do nothing. */
export type Release = () => void
type Serve = (release: Release) => void

interface Waiting {
  bounds: () => readonly Bound[]
  /** Requests that wait, by caller. */
  queue: FairQueue<Serve>
}

/**
 * The number of holders that are kept although they have no permits. A `Map` that every request enters and leaves is
 * rebuilt again and again, and its abandoned tables stay until a full garbage collection.
 */
const maxIdleHolders = 100

export class ConcurrencyLimiter {
  readonly max: number
  readonly #inUse = new Map<string, number>()
  /** Requests that wait, by path, in the order of their turns. */
  readonly #waiting = new Map<string, Waiting>()
  #total = 0

  /** @param max permits in total, for `isFull` and `fairShare`: a bound of a path may allow more */
  constructor(max = Number.POSITIVE_INFINITY) {
    this.max = max
  }

  get total(): number {
    return this.#total
  }

  get isFull(): boolean {
    return this.#total >= this.max
  }

  /**
   * The number of permits that one holder may have: at most a quarter of all, and at most as many as are free. One
   * holder leaves three quarters to others, and many holders together leave some to a new one, which always has one
   * permit.
   */
  get fairShare(): number {
    return Math.max(1, Math.min(Math.floor(this.max / 4), this.max - this.#total))
  }

  inUse(holder: string): number {
    return this.#inUse.get(holder) ?? 0
  }

  /** @returns the first bound of the path that is reached */
  reached<B extends Bound>(path: readonly B[]): B | undefined {
    for (const bound of path) if (this.inUse(bound.holder) >= bound.max) return bound
    return undefined
  }

  /** @returns `null` when a bound of the path is reached */
  acquire(path: readonly Bound[]): Release | null {
    if (this.reached(path) !== undefined) return null
    const holders = path.map(({ holder }) => holder)
    this.add(holders, 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.add(holders, -1)
      if (this.#waiting.size > 0) this.#serve()
    }
  }

  /**
   * Acquires like `acquire`, but waits for a permit. Paths take turns, and so do the callers of each path.
   * @param bounds the path, asked again when a permit is free, because its bounds may depend on free permits
   */
  wait(bounds: () => readonly Bound[], caller: string): Release | Promise<Release> {
    const path = bounds()
    const present = this.#waiting.size === 0 ? undefined : this.#waiting.get(keyOf(path))
    const release = present === undefined ? this.acquire(path) : null
    if (release !== null) return release
    const { promise, resolve } = Promise.withResolvers<Release>()
    const waiting = present ?? { bounds, queue: new FairQueue<Serve>() }
    waiting.queue.push([caller], resolve)
    if (present === undefined) this.#waiting.set(keyOf(path), waiting)
    return promise
  }

  /** Counts permits without asking the bounds. @param permits negative to give back */
  add(holders: readonly string[], permits: number): void {
    this.#total += permits
    for (const holder of holders) {
      const inUse = this.inUse(holder) + permits
      if (inUse > 0 || this.#inUse.size <= maxIdleHolders) this.#inUse.set(holder, inUse)
      else this.#inUse.delete(holder)
    }
  }

  #serve(): void {
    for (const [key, waiting] of this.#waiting) {
      const release = this.acquire(waiting.bounds())
      if (release === null) continue
      this.#waiting.delete(key)
      const serve = waiting.queue.shift()
      // The iteration reaches the path again after all others that wait.
      if (waiting.queue.size > 0) this.#waiting.set(key, waiting)
      serve?.(release)
    }
  }
}

function keyOf(path: readonly Bound[]): string {
  return path.map(({ holder }) => holder).join(' ')
}
