/** A fair queue: its flows are served in turn, so that a long flow delays only itself. */
export class FairQueue<T> {
  /** In the order of their turns. */
  readonly #flows = new Map<string, FairQueue<T>>()
  /**
   * The items at the end of a path. A `Set` that is filled and emptied all the time is rebuilt again and again, and what
   * its abandoned tables refer to stays alive until a full garbage collection.
   */
  readonly #items: T[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  /** @returns the number of items in a flow */
  sizeOf([name, ...rest]: readonly string[]): number {
    return name === undefined ? this.#size : (this.#flows.get(name)?.sizeOf(rest) ?? 0)
  }

  /** @param path the names of nested flows, the widest first; the flows of one level take turns */
  push([name, ...rest]: readonly string[], item: T): void {
    this.#size++
    if (name === undefined) {
      this.#items.push(item)
      return
    }
    const flow = this.#flows.get(name) ?? new FairQueue<T>()
    this.#flows.set(name, flow)
    flow.push(rest, item)
  }

  /** Removes the oldest item of the flow whose turn it is. */
  shift(): T | undefined {
    if (this.#size === 0) return undefined
    this.#size--
    const [next] = this.#flows
    if (next === undefined) return this.#items.shift()
    const [name, flow] = next
    this.#flows.delete(name)
    const item = flow.shift()
    if (flow.size > 0) this.#flows.set(name, flow)
    return item
  }

  /**
   * Removes the newest item of the largest flow; of equally large flows, of the one with fewer flows in it, whose turn is
   * last.
   */
  pop(): T | undefined {
    if (this.#size === 0) return undefined
    this.#size--
    let largest: [string, FairQueue<T>] | undefined
    for (const each of this.#flows)
      if (largest === undefined || each[1].#isAsLargeAs(largest[1])) largest = each
    if (largest === undefined) return this.#items.pop()
    const [name, flow] = largest
    const item = flow.pop()
    if (flow.size === 0) this.#flows.delete(name)
    return item
  }

  /** @returns whether it was there */
  delete([name, ...rest]: readonly string[], item: T): boolean {
    if (name === undefined) return this.#removeItem(item)
    const flow = this.#flows.get(name)
    if (flow?.delete(rest, item) !== true) return false
    this.#size--
    if (flow.size === 0) this.#flows.delete(name)
    return true
  }

  #isAsLargeAs(other: FairQueue<T>): boolean {
    return this.#size === other.#size ? this.#flows.size <= other.#flows.size : this.#size > other.#size
  }

  #removeItem(item: T): boolean {
    const index = this.#items.indexOf(item)
    if (index < 0) return false
    this.#items.splice(index, 1)
    this.#size--
    return true
  }
}
