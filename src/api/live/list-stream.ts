/** The stream of one client as server-sent events: changes as they come, and the cursor while there are none. */
import { ServiceError } from '../../core/errors.ts'
import { TooSlow } from '../../core/live/stream.ts'
import { blockOf, listItem } from './event-block.ts'
import type { Following } from './live-lists.ts'

export const defaultQuietMs = 15_000
/** Clients of an instance that ends come back at different moments. */
const maxRetryMs = 10_000

/** The token of the client is not valid any more. */
export class TokenEnded extends Error {}

/** Not a generator, which could not be ended while it waits for the next change. */
export class ListStream implements AsyncIterableIterator<string, undefined> {
  readonly #following: Following
  readonly #quietMs: number
  /** When the reader had everything and asked for more. */
  #askedAtMs = 0
  /** What is sent first, until it is sent. */
  #begins: string | null
  #isOver = false

  /** @param begins what is sent first */
  constructor(following: Following, begins: string, quietMs: number) {
    this.#following = following
    this.#begins = begins
    this.#quietMs = quietMs
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    if (this.#isOver) return { value: undefined, done: true }
    if (this.#begins !== null) {
      const value = this.#begins
      this.#begins = null
      return { value, done: false }
    }
    this.#askedAtMs = performance.now()
    try {
      const result = await this.#following.stream.next()
      if (result.done === true) return this.#end('moved')
      return { value: result.value.text, done: false }
    } catch (error) {
      return this.#end(reasonOf(error))
    }
  }

  /** Called now and then: tells a client that waits for long where it is. */
  check(): void {
    const { stream, cursor } = this.#following
    if (stream.isIdle && performance.now() - this.#askedAtMs >= this.#quietMs)
      stream.push([listItem([{ event: 'cursor', lists: null, members: '' }], cursor() ?? '')])
  }

  async return(): Promise<IteratorResult<string, undefined>> {
    this.#isOver = true
    await this.#following.stream.return()
    return { value: undefined, done: true }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #end(reason: string): IteratorResult<string, undefined> {
    this.#isOver = true
    const retryMs = reason === 'moved' ? Math.floor(Math.random() * maxRetryMs) : 0
    const members = `"reason":"${reason}","retryMs":${retryMs}`
    return { value: blockOf({ event: 'end', lists: null, members }, null), done: false }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof TooSlow) return 'slow'
  if (error instanceof TokenEnded) return 'token'
  if (error instanceof ServiceError && error.kind === 'forbidden') return 'forbidden'
  return 'error'
}
