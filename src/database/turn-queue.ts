/** A bounded queue in which owners take turns: one with many entries delays the others by one each. */
export class TurnQueue<T> {
  readonly #maxTotal: number
  readonly #maxPerOwner: number
  /** The owner whose turn is next comes first. */
  readonly #entries = new Map<string, T[]>()
  #size = 0

  constructor(bounds: { maxTotal: number; maxPerOwner: number }) {
    this.#maxTotal = bounds.maxTotal
    this.#maxPerOwner = bounds.maxPerOwner
  }

  /** @returns false when the queue is full */
  push(owner: string, entry: T): boolean {
    const own = this.#entries.get(owner) ?? []
    if (this.#size >= this.#maxTotal || own.length >= this.#maxPerOwner) return false
    own.push(entry)
    this.#entries.set(owner, own)
    this.#size++
    return true
  }

  shift(): T | undefined {
    for (const [owner, own] of this.#entries) {
      const entry = own.shift()
      this.#entries.delete(owner)
      if (own.length > 0) this.#entries.set(owner, own)
      this.#size--
      return entry
    }
    return undefined
  }
}
