/**
 * A fair queue whose items may wait in several flows at once: an item leaves all of them when one of them has its
 * turn.
 */
import { FairQueue } from '../../database/fair-queue.ts'

/** The names of nested flows, the widest first; the flows of one level take turns. */
export type Path = readonly string[]

/** An item in the queue with its paths, for removing it. */
export interface QueueEntry<T> {
  readonly item: T
  readonly paths: readonly Path[]
}

export class TurnQueue<T> {
  readonly #flows = new FairQueue<QueueEntry<T>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  push(paths: readonly Path[], item: T): QueueEntry<T> {
    const entry = { item, paths }
    this.#size++
    for (const path of paths) this.#flows.push(path, entry)
    return entry
  }

  /** Removes the oldest item of the flow whose turn it is. */
  shift(): T | undefined {
    return this.#leave(this.#flows.shift())
  }

  /** Removes the newest item of the largest flow. */
  pop(): T | undefined {
    return this.#leave(this.#flows.pop())
  }

  /** @returns whether it was there */
  delete(entry: QueueEntry<T>): boolean {
    const [first, ...others] = entry.paths
    if (first === undefined || !this.#flows.delete(first, entry)) return false
    for (const path of others) this.#flows.delete(path, entry)
    this.#size--
    return true
  }

  /** @param entry that has left one of its flows */
  #leave(entry: QueueEntry<T> | undefined): T | undefined {
    if (entry === undefined) return undefined
    if (entry.paths.length > 1) for (const path of entry.paths) this.#flows.delete(path, entry)
    this.#size--
    return entry.item
  }
}
