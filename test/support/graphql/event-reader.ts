/** Server-sent events as they come, with their ids. */
import assert from 'node:assert/strict'
import type { Client } from '../client.ts'
import { parseField } from '../http/field.ts'
import { Inbox } from './inbox.ts'
import { onOrderCreated } from './raw-socket.ts'

export interface ServerEvent {
  event: string
  id: string | null
  // biome-ignore lint/suspicious/noExplicitAny: tests read data of every shape
  data: any
}

export interface ReadOptions {
  query?: string
  /** Another address and its body, in place of GraphQL and the query. */
  path?: string
  body?: object
  /** The id of the event after which the stream resumes. */
  after?: string | null
  headers?: Record<string, string>
}

export class EventReader implements AsyncDisposable {
  readonly inbox = new Inbox<ServerEvent>()
  readonly #gone = new AbortController()
  /** Resolves when the other side has ended it, or it was closed. */
  ended: Promise<void> = Promise.resolve()

  /** Waits for the beginning of the stream. */
  static async open(client: Client, options: ReadOptions = {}): Promise<EventReader> {
    const {
      query = onOrderCreated,
      path = '/graphql',
      body = { query },
      after = null,
      headers = {},
    } = options
    const reader = new EventReader()
    const response = await fetch(`${client.baseUrl}${path}`, {
      method: 'POST',
      headers: {
        ...client.headers,
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(after !== null && { 'last-event-id': after }),
        ...headers,
      },
      body: JSON.stringify(body),
      signal: reader.#gone.signal,
    })
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
    assert.ok(response.body)
    reader.ended = reader.#read(response.body)
    return reader
  }

  /** @returns the next result */
  async next(): Promise<ServerEvent> {
    const event = await this.inbox.next()
    assert.equal(event.event, 'next', JSON.stringify(event))
    return event
  }

  async close(): Promise<void> {
    this.#gone.abort()
    await this.ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = ''
    const decoder = new TextDecoder()
    try {
      for await (const chunk of body) {
        text += decoder.decode(chunk, { stream: true })
        const parts = text.split('\n\n')
        text = parts.pop() ?? ''
        for (const part of parts) if (part !== ':') this.inbox.put(parseEvent(part))
      }
    } catch {
      // it was closed, or the service has gone
    }
  }
}

/** The id of the order in a result. */
export function orderIn({ data }: ServerEvent): string {
  return String(data?.data?.onOrderCreated?.id)
}

function parseEvent(part: string): ServerEvent {
  const fields = new Map(part.split('\n').map(parseField))
  const data = fields.get('data') ?? ''
  return {
    event: fields.get('event') ?? '',
    id: fields.get('id') ?? null,
    data: data === '' ? null : JSON.parse(data),
  }
}
