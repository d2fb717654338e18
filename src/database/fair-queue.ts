/** A fair queue: its flows are served in turn, so that a long flow delays only itself. */

/** The maximum number of empty flows that each flow keeps for their next item. */
const maxEmptyFlows = 64

/**
 * A flow: the flows in it, which take turns, or its items. A `Map` that every item enters and leaves is rebuilt
 * again and again, and what its abandoned tables refer to stays alive until a full garbage collection. So items and
 * turns are in arrays, and flows stay in the `Map` when they are empty.
 */
class Flow<T> {
  readonly name: string
  size = 0
  readonly #items: T[] = []
  #flows: Map<string, Flow<T>> | null = null
  /** The flows in the order of their turns. */
  readonly #turns: Flow<T>[] = []

  constructor(name: string) {
    this.name = name
  }

  flow(name: string): Flow<T> | undefined {
    return this.#flows?.get(name)
  }

  push(path: readonly string[], depth: number, item: T): void {
    this.size++
    const name = path[depth]
    if (name === undefined) {
      this.#items.push(item)
      return
    }
    const flow = this.flow(name) ?? this.#begin(name)
    if (flow.size === 0) this.#turns.push(flow)
    flow.push(path, depth + 1, item)
  }

  shift(): T | undefined {
    if (this.size === 0) return undefined
    this.size--
    const flow = this.#turns.shift()
    if (flow === undefined) return this.#items.shift()
    const item = flow.shift()
    if (flow.size > 0) this.#turns.push(flow)
    else this.#end(flow)
    return item
  }

  pop(): T | undefined {
    if (this.size === 0) return undefined
    this.size--
    let largest: Flow<T> | undefined
    for (const each of this.#turns) if (largest === undefined || each.#isAsLargeAs(largest)) largest = each
    if (largest === undefined) return this.#items.pop()
    const item = largest.pop()
    if (largest.size === 0) this.#leaveTurns(largest)
    return item
  }

  /** @returns whether it was there */
  delete(path: readonly string[], depth: number, item: T): boolean {
    const name = path[depth]
    if (name === undefined) {
      if (!removeFrom(this.#items, item)) return false
    } else {
      const flow = this.flow(name)
      if (flow?.delete(path, depth + 1, item) !== true) return false
      if (flow.size === 0) this.#leaveTurns(flow)
    }
    this.size--
    return true
  }

  #begin(name: string): Flow<T> {
    const flow = new Flow<T>(name)
    this.#flows ??= new Map()
    this.#flows.set(name, flow)
    return flow
  }

  #leaveTurns(flow: Flow<T>): void {
    removeFrom(this.#turns, flow)
    this.#end(flow)
  }

  /** @param flow that is empty */
  #end({ name }: Flow<T>): void {
    const flows = this.#flows
    if (flows !== null && flows.size - this.#turns.length > maxEmptyFlows) flows.delete(name)
  }

  #isAsLargeAs(other: Flow<T>): boolean {
    return this.size === other.size ? this.#turns.length <= other.#turns.length : this.size > other.size
  }
}

/** @returns whether it was there */
function removeFrom<T>(items: T[], item: T): boolean {
  const index = items.indexOf(item)
  if (index < 0) return false
  items.splice(index, 1)
  return true
}

export class FairQueue<T> {
  readonly #all = new Flow<T>('')

  get size(): number {
    return this.#all.size
  }

  /** @returns the number of items in a flow */
  sizeOf(path: readonly string[]): number {
    let flow: Flow<T> | undefined = this.#all
    for (const name of path) flow = flow?.flow(name)
    return flow?.size ?? 0
  }

  /** @param path the names of nested flows, the widest first; the flows of one level take turns */
  push(path: readonly string[], item: T): void {
    this.#all.push(path, 0, item)
  }

  /** Removes the oldest item of the flow whose turn it is. */
  shift(): T | undefined {
    return this.#all.shift()
  }

  /**
   * Removes the newest item of the largest flow. Of equally large ones it takes the one with the fewest flows in it; of
   * these, the one whose turn is last.
   */
  pop(): T | undefined {
    return this.#all.pop()
  }

  /** @returns whether it was there */
  delete(path: readonly string[], item: T): boolean {
    return this.#all.delete(path, 0, item)
  }
}
