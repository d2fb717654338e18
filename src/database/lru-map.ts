export interface LruOptions<K> {
  /** The weight of an entry; 1 if absent. */
  weigh?: (key: K) => number
  /** Called with each key that is evicted. */
  onEvict?: (key: K) => void
}

/** A bounded map, which evicts the least recently used entry. */
export class LruMap<K, V> {
  readonly #entries = new Map<K, V>()
  readonly #maxWeight: number
  readonly #weigh: (key: K) => number
  readonly #onEvict: ((key: K) => void) | null
  #weight = 0

  /** @param maxWeight of all entries together */
  constructor(maxWeight: number, { weigh = one, onEvict }: LruOptions<K> = {}) {
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

  set(key: K, value: V): void {
    this.delete(key)
    this.#entries.set(key, value)
    this.#weight += this.#weigh(key)
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#maxWeight) return
      this.delete(oldest)
      this.#onEvict?.(oldest)
    }
  }

  delete(key: K): void {
    if (this.#entries.delete(key)) this.#weight -= this.#weigh(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#weight = 0
  }
}

function one(): number {
  return 1
}
