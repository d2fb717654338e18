/**
 * Results as server-sent events (GraphQL over SSE, distinct connections): `next` for each result, `complete` at the
 * end. Each event has an id, with which a client resumes (`Last-Event-ID`).
 */
import type { GraphQLError } from 'graphql'
import type { Stream } from '../../../core/live/stream.ts'
import { format } from '../error.ts'

/** The interval of comments: proxies close idle connections. */
export const defaultKeepAliveMs = 12_000
const comment = ':\n\n'
const complete = 'event: complete\ndata:\n\n'

/** One result, and the end. */
export async function* oneEvent(text: string): AsyncIterable<string> {
  yield next(text, null)
  yield complete
}

/** Not a generator, which could not be ended while it waits for the next result. */
export class EventStream implements AsyncIterableIterator<string, undefined> {
  readonly #source: Stream
  readonly #toGraphQLError: (error: unknown) => GraphQLError
  readonly #keepAliveMs: number
  /** When the client had everything and waited for more. */
  #askedAtMs = 0
  #isBegun = false
  #isOver = false

  /** @param toGraphQLError converts the error of the source to a public error */
  constructor(source: Stream, toGraphQLError: (error: unknown) => GraphQLError, keepAliveMs: number) {
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
    this.#askedAtMs = performance.now()
    try {
      const result = await this.#source.next()
      // The source ends when the service stops or the tenant moves: without `complete`, the client reconnects.
      if (result.done === true) return { value: undefined, done: true }
      const { text, cursor } = result.value
      return { value: text === '' ? comment : next(text, cursor), done: false }
    } catch (error) {
      this.#isOver = true
      const text = JSON.stringify({ errors: format([this.#toGraphQLError(error)]) })
      return { value: `${next(text, null)}${complete}`, done: false }
    }
  }

  /** Called now and then: sends a comment to a client that has waited for long. */
  check(): void {
    const isQuiet = performance.now() - this.#askedAtMs >= this.#keepAliveMs
    if (this.#source.isIdle && isQuiet) this.#source.push([{ text: '', cursor: '', holders: 0 }])
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
