/**
 * The stream of one subscriber: a queue of results that its client has not read yet, and that must not grow too
 * large.
 */
import type { BufferBudget, BufferHolder } from '../limits/buffer-budget.ts'

export interface Item {
  /** JSON text of the result. */
  text: string
  /** The position of the result: a client resumes after it. */
  cursor: string
  /** The number of streams in which the item waits. They share one copy of it. */
  holders: number
}

/** Reduces the unread results of a slow reader. */
export interface Relief {
  /** @returns the results in fewer or shorter items */
  merge(items: readonly Item[]): readonly Item[]
  /** @returns what the reader gets instead of its unread results, when merging does not make them small enough */
  replace(): Item
}

/** The maximum of unread characters. Above it a subscriber is relieved or cut, because its results take memory. */
const maxWaitingCharacters = 1_000_000

export class Stream implements AsyncIterableIterator<Item, undefined>, BufferHolder {
  readonly #buffers: BufferBudget
  readonly #relief: Relief | null
  /** Whether the unread results were replaced since the reader last had everything. */
  #isReplaced = false
  readonly #waiting: Item[] = []
  readonly #listeners: (() => void)[] = []
  #chars = 0
  #reader: { resolve(result: IteratorResult<Item, undefined>): void; reject(error: unknown): void } | null =
    null
  #error: unknown = null
  #isEnded = false
  #resolveDrained: () => void = () => undefined

  /**
   * @param buffers shared by all streams
   * @param relief reduces what waits for a slow reader; without it, the reader is cut
   */
  constructor(buffers: BufferBudget, relief: Relief | null = null) {
    this.#buffers = buffers
    this.#relief = relief
  }

  get bufferedBytes(): number {
    return this.#chars
  }

  /** Called when the shared buffers are full and this one is the largest. */
  cut(): void {
    this.#relieve()
  }

  /**
   * Merges the unread results. If that does not halve them, one item replaces them. If the reader has not read this
   * item when there are too many results again, the reader is cut.
   */
  #relieve(): void {
    if (this.#relief === null || this.#isReplaced) {
      this.fail(new TooSlow())
      return
    }
    const merged = this.#relief.merge(this.#waiting)
    const isHalved = merged.reduce((sum, item) => sum + sizeOf(item), 0) <= this.#chars / 2
    this.#isReplaced = !isHalved
    this.#clear()
    for (const item of isHalved ? merged : [this.#relief.replace()]) this.#put(item)
  }

  /** Calls `listener` once at the end of the stream. */
  onEnd(listener: () => void): void {
    if (this.#isEnded) listener()
    else this.#listeners.push(listener)
  }

  /** Whether the reader has everything and waits for more. */
  get isIdle(): boolean {
    return this.#reader !== null
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Resolves when all results are read, or the stream has ended. */
  drained(): Promise<void> {
    if (this.#waiting.length === 0 || this.#isEnded) return Promise.resolve()
    return new Promise((resolve) => {
      this.#resolveDrained = resolve
    })
  }

  /** Adds a batch of results of any size: a subscriber that reads in time is not cut. */
  push(items: readonly Item[]): void {
    if (this.#isEnded) return
    if (this.#chars > maxWaitingCharacters) {
      this.#relieve()
      if (this.#isReplaced) return // the reader reads again what it has missed
    }
    for (const item of items) {
      if (this.#isEnded) return // cut for earlier items
      this.#put(item)
    }
  }

  /** Ends the stream after its unread results. */
  end(): void {
    this.#finish(null)
  }

  /** Ends the stream at once, and drops its unread results. */
  fail(error: unknown): void {
    this.#clear()
    this.#finish(error)
  }

  next(): Promise<IteratorResult<Item, undefined>> {
    const item = this.#waiting.shift()
    if (item !== undefined) {
      this.#discount(item)
      if (this.#waiting.length === 0) {
        this.#isReplaced = false
        this.#resolveDrained()
      }
      return Promise.resolve({ value: item, done: false })
    }
    if (this.#error !== null) {
      const error = this.#error
      this.#error = null
      return Promise.reject(error)
    }
    if (this.#isEnded) return Promise.resolve({ value: undefined, done: true })
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject }
    })
  }

  /** Called when the reader stops. */
  return(): Promise<IteratorResult<Item, undefined>> {
    this.#clear()
    this.#finish(null)
    return Promise.resolve({ value: undefined, done: true })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #put(item: Item): void {
    if (this.#reader !== null) {
      const { resolve } = this.#reader
      this.#reader = null
      resolve({ value: item, done: false })
      return
    }
    this.#waiting.push(item)
    this.#chars += sizeOf(item)
    this.#buffers.enter(this)
    if (item.holders++ === 0) this.#buffers.take(sizeOf(item))
  }

  /** Removes an item from this stream's count. */
  #discount(item: Item): void {
    this.#chars -= sizeOf(item)
    if (this.#waiting.length === 0) this.#buffers.leave(this)
    if (--item.holders === 0) this.#buffers.give(sizeOf(item))
  }

  #clear(): void {
    for (const item of this.#waiting.splice(0)) this.#discount(item)
  }

  #finish(error: unknown): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#resolveDrained()
    const reader = this.#reader
    this.#reader = null
    if (reader === null) this.#error = error
    else if (error === null) reader.resolve({ value: undefined, done: true })
    else reader.reject(error)
    for (const listener of this.#listeners.splice(0)) listener()
  }
}

/** The subscriber reads too slowly. */
export class TooSlow extends Error {
  constructor() {
    super('The subscriber reads too slowly.')
  }
}

function sizeOf({ text, cursor }: Item): number {
  return text.length + cursor.length
}
