export interface LruOptions<K, V> {
  /** The weight of an entry, which does not change; 1 if absent. */
  weigh?: (key: K, value: V) => number
  onEvict?: (key: K) => void
}

interface Entry<V> {
  value: V
  /** The value of `#movedWeight` when the entry became the newest. */
  movedAt: number
}

/**
 * A bounded map, which evicts the least recently used entry. A use moves an entry to the end of the order only when
 * newer entries have a quarter of the maximum weight, because moving entries at each use would rebuild the `Map` again
 * and again. The order is therefore approximate: an entry that was among the last quarter used is never evicted.
 */
export class LruMap<K, V> {
  readonly #entries = new Map<K, Entry<V>>()
  readonly #maxWeight: number
  readonly #weigh: (key: K, value: V) => number
  readonly #onEvict: ((key: K) => void) | null
  #weight = 0
  /** The weight of all that was set and moved. */
  #movedWeight = 0

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
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (this.#isOld(entry)) this.#moveToEnd(key, entry)
    return entry.value
  }

  /** Like `get`, without counting as a use, and cheaper. A map read by `peek` alone evicts its oldest entry. */
  peek(key: K): V | undefined {
    return this.#entries.get(key)?.value
  }

  /** Iterates in the order in which entries would be evicted. */
  *entries(): Iterable<readonly [K, V]> {
    for (const [key, { value }] of this.#entries) yield [key, value]
  }

  set(key: K, value: V): void {
    const weight = this.#weigh(key, value)
    const present = this.#entries.get(key)
    if (present !== undefined && !this.#isOld(present) && this.#weigh(key, present.value) === weight) {
      present.value = value
      return
    }
    this.delete(key)
    this.#weight += weight
    this.#movedWeight += weight
    this.#entries.set(key, { value, movedAt: this.#movedWeight })
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#maxWeight) return
      this.delete(oldest)
      this.#onEvict?.(oldest)
    }
  }

  delete(key: K): void {
    const entry = this.#entries.get(key)
    if (entry !== undefined && this.#entries.delete(key)) this.#weight -= this.#weigh(key, entry.value)
  }

  clear(): void {
    this.#entries.clear()
    this.#weight = 0
  }

  #isOld({ movedAt }: Entry<V>): boolean {
    return this.#movedWeight - movedAt > this.#maxWeight / 4
  }

  #moveToEnd(key: K, entry: Entry<V>): void {
    this.#movedWeight += this.#weigh(key, entry.value)
    entry.movedAt = this.#movedWeight
    this.#entries.delete(key)
    this.#entries.set(key, entry)
  }
}

function one(): number {
  return 1
}
