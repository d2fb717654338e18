/**
 * Results as server-sent events (GraphQL over SSE, distinct connections): `next` for each result, `complete` at the
 * end. Each event has an id, with which a client resumes (`Last-Event-ID`).
 */
import type { GraphQLError } from 'graphql'
import { SentEvents } from '../../../core/live/sent-events.ts'
import type { Item, Stream } from '../../../core/live/stream.ts'
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

export class EventStream extends SentEvents {
  readonly #source: Stream

  /** @param toGraphQLError converts the error of the source to a public error */
  constructor(source: Stream, toGraphQLError: (error: unknown) => GraphQLError, keepAliveMs: number) {
    const texts = {
      begins: comment,
      textOf: ({ text, cursor }: Item) => (text === '' ? comment : next(text, cursor)),
      // The source ends when the service stops or the tenant moves: without `complete`, the client reconnects.
      ended: () => null,
      failed: (error: unknown) => {
        const text = JSON.stringify({ errors: format([toGraphQLError(error)]) })
        return `${next(text, null)}${complete}`
      },
    }
    super(source, texts, keepAliveMs)
    this.#source = source
  }

  /** Called periodically: sends a comment to a client that has waited for long. */
  check(): void {
    if (this.isSilent) this.#source.push([{ text: '', cursor: '', holders: 0 }])
  }
}

/** The JSON text has no line breaks. */
function next(text: string, cursor: string | null): string {
  return `event: next\n${cursor === null ? '' : `id: ${cursor}\n`}data: ${text}\n\n`
}
