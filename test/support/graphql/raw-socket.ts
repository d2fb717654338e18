/** A WebSocket whose every message a test sends and receives itself. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import { Inbox } from './inbox.ts'
import type { Shop } from './order-subscription.ts'

export interface Message {
  type: string
  id?: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read payloads of every shape
  payload?: any
}

export interface OpenOptions {
  headers?: Record<string, string>
  protocol?: string
  path?: string
}

export const onOrderCreated = 'subscription { onOrderCreated { id number } }'

/** A subscription that has begun usually reports an order within this time. */
const usuallyWithinMs = 50

export class RawSocket implements AsyncDisposable {
  readonly socket: WebSocket
  readonly inbox = new Inbox<Message>()
  /** The code, and the reason. */
  readonly closed: Promise<[number, string]>
  #runs = 0

  private constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (text) => this.inbox.put(JSON.parse(String(text))))
    socket.on('error', () => undefined) // it closes then as well
    this.closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => resolve([code, String(reason)]))
    })
  }

  /** @param url of the service */
  static async open(url: string, options: OpenOptions = {}): Promise<RawSocket> {
    const { headers = {}, protocol = 'graphql-transport-ws', path = '/graphql' } = options
    const address = `${url.replace(/^http/, 'ws')}${path}`
    const raw = new RawSocket(new WebSocket(address, protocol, { headers }))
    await once(raw.socket, 'open')
    return raw
  }

  /** Opened and acknowledged. */
  static async enter(url: string, payload: object, options: OpenOptions = {}): Promise<RawSocket> {
    const raw = await RawSocket.open(url, options)
    await raw.init(payload)
    return raw
  }

  /** @param message text as it is, anything else as JSON */
  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  async init(payload?: object): Promise<void> {
    this.send({ type: 'connection_init', payload })
    assert.deepEqual(await this.inbox.next(), { type: 'connection_ack' })
  }

  subscribe(id: string, query: string = onOrderCreated, more: object = {}): void {
    this.send({ id, type: 'subscribe', payload: { query, ...more } })
  }

  /** One operation from its beginning to its end. */
  async run(query: string, more: object = {}): Promise<Message> {
    const id = `run-${++this.#runs}`
    this.subscribe(id, query, more)
    const message = await this.inbox.next()
    assert.equal(message.id, id)
    if (message.type === 'next') assert.deepEqual(await this.inbox.next(), { id, type: 'complete' })
    return message
  }

  /**
   * Subscribes, and waits until all are told of orders: the protocol does not say when one has begun.
   * @param queries those that do not ask for what `onOrderCreated` does, by id; each with the order's `id`
   */
  async follow(shop: Shop, ids: readonly string[], queries: Record<string, string> = {}): Promise<void> {
    for (const id of ids) this.subscribe(id, queries[id])
    // Orders are told in their order: who is told of the last is told of none before it later.
    for (let lateMs = usuallyWithinMs; ; lateMs *= 2) {
      const waiting = new Set(ids)
      const order = await shop.order()
      let message = await this.inbox.nextWithin(lateMs)
      while (message !== null) {
        if (orderInMessage(message) === order) waiting.delete(message.id ?? '')
        if (waiting.size === 0) return
        message = await this.inbox.nextWithin(lateMs)
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.terminate()
    await this.closed
  }
}

/** Nothing is answered any more, not even the closing handshake. */
export function ignoreWhatComes({ socket }: RawSocket): void {
  const { _socket: wire } = socket as unknown as { _socket: Socket } // where ws keeps it
  wire.removeAllListeners('data')
}

/** The id of the order in a result. */
export function orderInMessage({ payload }: Message): string {
  return String(payload?.data?.onOrderCreated?.id)
}

/** @returns the status of the reply to a refused upgrade */
export async function refusedUpgrade(url: string, { headers = {}, path = '/graphql' }: OpenOptions) {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${path}`, 'graphql-transport-ws', { headers })
  socket.on('error', () => undefined) // it is refused
  const [, response] = await once(socket, 'unexpected-response')
  response.resume()
  return Number(response.statusCode)
}
