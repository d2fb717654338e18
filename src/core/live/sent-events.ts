/** Turns the stream of one client into the text of server-sent events. */
import type { Item, Stream } from './stream.ts'

interface EventTexts {
  /** The text at the beginning of the stream. */
  begins: string
  textOf(item: Item): string
  /** The last text if the source of the stream has ended; `null` for none. */
  ended(): string | null
  /** The last text if the source of the stream has failed. */
  failed(error: unknown): string
}

/** Implements the iterator itself, because a generator cannot be ended while it waits for the next item. */
export class SentEvents implements AsyncIterableIterator<string, undefined> {
  readonly #source: Stream
  readonly #texts: EventTexts
  readonly #silenceMs: number
  /** The moment at which the client had everything and began to wait. */
  #askedAtMs = 0
  #isBegun = false
  #isOver = false

  /** @param silenceMs how long a client may wait before it is silent */
  constructor(source: Stream, texts: EventTexts, silenceMs: number) {
    this.#source = source
    this.#texts = texts
    this.#silenceMs = silenceMs
  }

  /** Whether the client has everything, and has waited for long. */
  get isSilent(): boolean {
    return this.#source.isIdle && performance.now() - this.#askedAtMs >= this.#silenceMs
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    if (this.#isOver) return { value: undefined, done: true }
    if (!this.#isBegun) {
      this.#isBegun = true
      return { value: this.#texts.begins, done: false }
    }
    this.#askedAtMs = performance.now()
    try {
      const result = await this.#source.next()
      return result.done === true
        ? this.#end(this.#texts.ended())
        : { value: this.#texts.textOf(result.value), done: false }
    } catch (error) {
      return this.#end(this.#texts.failed(error))
    }
  }

  async return(): Promise<IteratorResult<string, undefined>> {
    this.#isOver = true
    await this.#source.return()
    return { value: undefined, done: true }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #end(text: string | null): IteratorResult<string, undefined> {
    this.#isOver = true
    return text === null ? { value: undefined, done: true } : { value: text, done: false }
  }
}
