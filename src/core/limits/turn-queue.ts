/** A fair queue whose items wait in one or several flows, and leave all of them when the first has its turn. */
import { FairQueue } from '../../database/fair-queue.ts'

/** The names of nested flows, the widest first; the flows of one level take turns. */
export type Path = readonly string[]

interface Waiting<T> {
  item: T
  paths: readonly Path[]
}

export class TurnQueue<T> {
  readonly #flows = new FairQueue<Waiting<T>>()
  readonly #waiting = new Map<T, Waiting<T>>()

  get size(): number {
    return this.#waiting.size
  }

  push(paths: readonly Path[], item: T): void {
    const waiting = { item, paths }
    this.#waiting.set(item, waiting)
    for (const path of paths) this.#flows.push(path, waiting)
  }

  /** Removes the oldest item of the flow whose turn it is. */
  shift(): T | undefined {
    return this.#remove(this.#flows.shift())
  }

  /** Removes the newest item of the largest flow. */
  pop(): T | undefined {
    return this.#remove(this.#flows.pop())
  }

  delete(item: T): void {
    this.#remove(this.#waiting.get(item))
  }

  #remove(waiting: Waiting<T> | undefined): T | undefined {
    if (waiting === undefined) return undefined
    this.#waiting.delete(waiting.item)
    for (const path of waiting.paths) this.#flows.delete(path, waiting)
    return waiting.item
  }
}
