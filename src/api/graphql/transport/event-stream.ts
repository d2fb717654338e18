/**
 * Results as server-sent events (GraphQL over SSE, distinct connections): `next` for each result, `complete` at the
 * end. Each event has an id, with which a client resumes (`Last-Event-ID`).
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { GraphQLError } from 'graphql'
import type { Item } from '../../../core/live/stream.ts'
import { format } from '../error.ts'

/** The interval of comments: proxies close idle connections. */
const defaultKeepAliveMs = 12_000
const comment = ':\n\n'
const complete = 'event: complete\ndata:\n\n'

/** One result, and the end. */
export async function* oneEvent(text: string): AsyncIterable<string> {
  yield next(text, null)
  yield complete
}

interface Source extends AsyncIterator<Item, undefined> {
  return(): Promise<IteratorResult<Item, undefined>>
}

/** Not a generator, which could not be ended while it waits for the next result. */
export class EventStream implements AsyncIterableIterator<string, undefined> {
  readonly #source: Source
  readonly #toGraphQLError: (error: unknown) => GraphQLError
  readonly #keepAliveMs: number
  #pending: Promise<IteratorResult<Item, undefined>> | null = null
  #isBegun = false
  #isOver = false

  /** @param toGraphQLError converts the error of the source to a public error */
  constructor(
    source: Source,
    toGraphQLError: (error: unknown) => GraphQLError,
    keepAliveMs: number = defaultKeepAliveMs,
  ) {
    this.#source = source
    this.#keepAliveMs = keepAliveMs
    this.#toGraphQLError = toGraphQLError
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    if (this.#isOver) return { value: undefined, done: true }
    if (!this.#isBegun) {
      this.#isBegun = true
      return { value: comment, done: false }
    }
    this.#pending ??= this.#source.next()
    const quiet = new AbortController()
    try {
      const silence = delay(this.#keepAliveMs, null, { ref: false, signal: quiet.signal }).catch(() => null)
      const result = await Promise.race([this.#pending, silence])
      if (result === null) return { value: comment, done: false }
      this.#pending = null
      // The source ends when the service stops or the tenant moves: without `complete`, the client reconnects.
      if (result.done === true) return { value: undefined, done: true }
      return { value: next(result.value.text, result.value.cursor), done: false }
    } catch (error) {
      this.#isOver = true
      const text = JSON.stringify({ errors: format([this.#toGraphQLError(error)]) })
      return { value: `${next(text, null)}${complete}`, done: false }
    } finally {
      quiet.abort()
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
}

/** The JSON text has no line breaks. */
function next(text: string, cursor: string | null): string {
  return `event: next\n${cursor === null ? '' : `id: ${cursor}\n`}data: ${text}\n\n`
}
