/** What one subscriber has not read yet. */
import { refuse } from '../error.ts'

export interface Item {
  /** JSON text of the result. */
  text: string
  /** To resume behind it. */
  mark: string
}

/** A subscriber that does not keep up is cut: holding its results would cost everybody else. */
const mostWaitingChars = 1_000_000

export class Stream implements AsyncIterableIterator<Item, undefined> {
  readonly #waiting: Item[] = []
  readonly #listeners: (() => void)[] = []
  #chars = 0
  #reader: { resolve(result: IteratorResult<Item, undefined>): void; reject(error: unknown): void } | null =
    null
  #error: unknown = null
  #isEnded = false

  /** Calls `listener` once, whoever ends it. */
  onEnd(listener: () => void): void {
    if (this.#isEnded) listener()
    else this.#listeners.push(listener)
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  push(item: Item): void {
    if (this.#isEnded) return
    if (this.#reader !== null) {
      const { resolve } = this.#reader
      this.#reader = null
      resolve({ value: item, done: false })
      return
    }
    this.#waiting.push(item)
    this.#chars += item.text.length
    if (this.#chars > mostWaitingChars) this.fail(refuse('tooSlow', 'The subscriber does not keep up.'))
  }

  /** What waits is still read. */
  end(): void {
    this.#finish(null)
  }

  /** What waits is dropped. */
  fail(error: unknown): void {
    this.#waiting.length = 0
    this.#finish(error)
  }

  next(): Promise<IteratorResult<Item, undefined>> {
    const item = this.#waiting.shift()
    if (item !== undefined) {
      this.#chars -= item.text.length
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
    this.#waiting.length = 0
    this.#finish(null)
    return Promise.resolve({ value: undefined, done: true })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #finish(error: unknown): void {
    if (this.#isEnded) return
    this.#isEnded = true
    const reader = this.#reader
    this.#reader = null
    if (reader === null) this.#error = error
    else if (error === null) reader.resolve({ value: undefined, done: true })
    else reader.reject(error)
    for (const listener of this.#listeners.splice(0)) listener()
  }
}
