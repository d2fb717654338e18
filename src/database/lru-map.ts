export interface LruOptions<K, V> {
  /** The weight of an entry, which does not change; 1 if absent. */
  weigh?: (key: K, value: V) => number
  /** Called with each key that is evicted. */
  onEvict?: (key: K) => void
}

/** A bounded map, which evicts the least recently used entry. */
export class LruMap<K, V> {
  readonly #entries = new Map<K, V>()
  readonly #maxWeight: number
  readonly #weigh: (key: K, value: V) => number
  readonly #onEvict: ((key: K) => void) | null
  #weight = 0

  /** @param maxWeight of all entries together */
  constructor(maxWeight: number, { weigh = one, onEvict }: LruOptions<K, V> = {}) {
    this.#maxWeight = maxWeight
    this.#weigh = weigh
    this.#onEvict = onEvict ?? null
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  /** Like `get`, without counting as a use, and cheaper. A map read by `peek` alone evicts its oldest entry. */
  peek(key: K): V | undefined {
    return this.#entries.get(key)
  }

  /** The least recently used first. */
  entries(): Iterable<readonly [K, V]> {
    return this.#entries.entries()
  }

  set(key: K, value: V): void {
    this.delete(key)
    this.#entries.set(key, value)
    this.#weight += this.#weigh(key, value)
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#maxWeight) return
      this.delete(oldest)
      this.#onEvict?.(oldest)
    }
  }

  delete(key: K): void {
    const value = this.#entries.get(key)
    if (value !== undefined && this.#entries.delete(key)) this.#weight -= this.#weigh(key, value)
  }

  clear(): void {
    this.#entries.clear()
    this.#weight = 0
  }
}

function one(): number {
  return 1
}
