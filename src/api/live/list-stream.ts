/** The stream of one client as server-sent events: changes as they come, and the cursor while there are none. */
import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../../core/errors.ts'
import { type Item, TooSlow } from '../../core/live/stream.ts'
import { blockOf } from './event-block.ts'
import type { Following } from './live-lists.ts'

const defaultQuietMs = 15_000
/** Clients of an instance that ends come back at different moments. */
const maxRetryMs = 10_000

/** The token of the client is not valid any more. */
export class TokenEnded extends Error {}

/** Not a generator, which could not be ended while it waits for the next change. */
export class ListStream implements AsyncIterableIterator<string, undefined> {
  readonly #following: Following
  readonly #quietMs: number
  #pending: Promise<IteratorResult<Item, undefined>> | null = null
  #isBegun = false
  #isOver = false

  constructor(following: Following, quietMs: number = defaultQuietMs) {
    this.#following = following
    this.#quietMs = quietMs
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    const { stream, begins, cursor } = this.#following
    if (this.#isOver) return { value: undefined, done: true }
    if (!this.#isBegun) {
      this.#isBegun = true
      return { value: begins, done: false }
    }
    this.#pending ??= stream.next()
    const quiet = new AbortController()
    try {
      const silence = delay(this.#quietMs, null, { ref: false, signal: quiet.signal }).catch(() => null)
      const result = await Promise.race([this.#pending, silence])
      if (result === null)
        return { value: blockOf({ event: 'cursor', lists: null, members: '' }, cursor()), done: false }
      this.#pending = null
      if (result.done === true) return this.#end('moved')
      return { value: result.value.text, done: false }
    } catch (error) {
      return this.#end(reasonOf(error))
    } finally {
      quiet.abort()
    }
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
