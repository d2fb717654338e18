/** What one subscriber has not read yet. */
import type { BufferBudget, BufferHolder } from '../../../core/limits/buffer-budget.ts'
import { refuse } from '../error.ts'

export interface Item {
  /** JSON text of the result. */
  text: string
  /** To resume behind it. */
  cursor: string
  /** Streams in which it waits: it is in memory once. */
  holders: number
}

/** A subscriber that does not keep up is cut: holding its results would cost everybody else. */
const maxWaitingCharacters = 1_000_000

export class Stream implements AsyncIterableIterator<Item, undefined>, BufferHolder {
  readonly #buffers: BufferBudget
  readonly #waiting: Item[] = []
  readonly #listeners: (() => void)[] = []
  #chars = 0
  #reader: { resolve(result: IteratorResult<Item, undefined>): void; reject(error: unknown): void } | null =
    null
  #error: unknown = null
  #isEnded = false
  #resolveDrained: () => void = () => undefined

  /** @param buffers which it shares with all others */
  constructor(buffers: BufferBudget) {
    this.#buffers = buffers
  }

  get bufferedBytes(): number {
    return this.#chars
  }

  /** Too much waits for all readers together, and most of it here. */
  cut(): void {
    this.fail(tooSlow())
  }

  /** Calls `listener` once, whoever ends it. */
  onEnd(listener: () => void): void {
    if (this.#isEnded) listener()
    else this.#listeners.push(listener)
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Resolves when everything is read, or it has ended. */
  drained(): Promise<void> {
    if (this.#waiting.length === 0 || this.#isEnded) return Promise.resolve()
    return new Promise((resolve) => {
      this.#resolveDrained = resolve
    })
  }

  /** Results that came together are taken together, however large: who reads them in time is not cut. */
  push(items: readonly Item[]): void {
    if (this.#isEnded) return
    if (this.#chars > maxWaitingCharacters) {
      this.fail(tooSlow())
      return
    }
    for (const item of items) {
      if (this.#isEnded) return // it was cut for what came before
      this.#put(item)
    }
  }

  /** What waits is still read. */
  end(): void {
    this.#finish(null)
  }

  /** What waits is dropped. */
  fail(error: unknown): void {
    this.#clear()
    this.#finish(error)
  }

  next(): Promise<IteratorResult<Item, undefined>> {
    const item = this.#waiting.shift()
    if (item !== undefined) {
      this.#taken(item)
      if (this.#waiting.length === 0) this.#resolveDrained()
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

  /** The reader goes away. */
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

  /** It waits here no longer. */
  #taken(item: Item): void {
    this.#chars -= sizeOf(item)
    if (this.#waiting.length === 0) this.#buffers.leave(this)
    if (--item.holders === 0) this.#buffers.give(sizeOf(item))
  }

  #clear(): void {
    for (const item of this.#waiting.splice(0)) this.#taken(item)
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

function tooSlow(): Error {
  return refuse('tooSlow', 'The subscriber does not keep up.')
}

function sizeOf({ text, cursor }: Item): number {
  return text.length + cursor.length
}
