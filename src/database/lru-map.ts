/** A map that forgets what was not used for the longest. */
export class LruMap<K, V> {
  readonly #entries = new Map<K, V>()
  readonly #most: number
  readonly #weigh: (key: K) => number
  #weight = 0

  /** @param most of all entries together; each weighs 1 unless `weigh` says otherwise */
  constructor(most: number, weigh: (key: K) => number = () => 1) {
    this.#most = most
    this.#weigh = weigh
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

  set(key: K, value: V): void {
    this.#delete(key)
    this.#entries.set(key, value)
    this.#weight += this.#weigh(key)
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#most) return
      this.#delete(oldest)
    }
  }

  #delete(key: K): void {
    if (this.#entries.delete(key)) this.#weight -= this.#weigh(key)
  }
}
