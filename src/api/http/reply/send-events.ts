/**
 * Sends server-sent events as they come, past the life cycle of a reply in Fastify and without a `Readable` between: both
 * would stay in memory for as long as the client follows the events, and are half of what a stream takes.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

const streams = new WeakSet<ServerResponse>()

/** Whether the reply ends only when its client or the service wants. */
export function isEventStream(response: ServerResponse): boolean {
  return streams.has(response)
}

export function isEvents(type: string): boolean {
  return type.startsWith('text/event-stream')
}

/** @param events ended at the end of the connection @param report called with an error of the events */
export function sendEvents(
  reply: FastifyReply,
  events: AsyncIterable<string | Uint8Array>,
  report: (error: unknown) => void,
): FastifyReply {
  const { raw, request } = reply
  raw.writeHead(raw.statusCode, reply.getHeaders() as OutgoingHttpHeaders) // its types repeat each name
  reply.hijack()
  request.body = undefined // nothing reads it again
  streams.add(raw)
  void new EventWriter(raw, events[Symbol.asyncIterator]()).writeAll(report)
  return reply
}

class EventWriter {
  readonly #response: ServerResponse
  readonly #events: AsyncIterator<string | Uint8Array>
  /** Called when the client has read what was written, and at the end. */
  #proceed: (() => void) | null = null

  constructor(response: ServerResponse, events: AsyncIterator<string | Uint8Array>) {
    this.#response = response
    this.#events = events
    response.on('drain', () => this.#resume())
    response.on('close', () => {
      void events.return?.()
      this.#resume()
    })
  }

  async writeAll(report: (error: unknown) => void): Promise<void> {
    const response = this.#response
    try {
      while (!response.destroyed) {
        const { value, done } = await this.#events.next()
        if (response.destroyed) break
        if (done === true) return void response.end()
        if (!response.write(value)) await this.#drained()
      }
      void this.#events.return?.()
    } catch (error) {
      report(error)
      response.destroy()
    }
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#proceed = resolve
    })
  }

  #resume(): void {
    this.#proceed?.()
    this.#proceed = null
  }
}
