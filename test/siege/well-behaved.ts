/** An innocent tenant: reads and writes at a low, steady rate, and their durations. */
import { connect, type Socket } from 'node:net'
import { type Reply, ReplyReader } from '../support/http/reply-reader.ts'
import { bearer, type RequestParts, requestBytes } from '../support/http/request-bytes.ts'
import { forwardedFrom, proxyAddress } from './address.ts'
import type { Target } from './target.ts'

export interface Served {
  /** Milliseconds of each read that was answered. */
  reads: number[]
  writes: number[]
  /** What failed, and how often: `read 503`, `write unanswered`. */
  faults: Record<string, number>
}

interface Ask extends RequestParts {
  kind: 'read' | 'write'
  status: number
}

const perSecond = 60
/** A user who waits for longer has given up. */
const timeoutMs = 15_000
const refreshEveryMs = 1000
const ourAddress = 200

export class WellBehaved {
  readonly #target: Target
  readonly #idle: Connection[] = []
  #served: Served = { reads: [], writes: [], faults: {} }
  #accessToken: string
  #refreshToken: string
  #turn = 0
  readonly #timers: NodeJS.Timeout[]
  readonly #waiting = new Set<Promise<unknown>>()

  constructor(target: Target) {
    this.#target = target
    this.#accessToken = target.wellBehaved.user.accessToken
    this.#refreshToken = target.wellBehaved.user.refreshToken
    let due = performance.now()
    const askWhenDue = () => {
      for (; due <= performance.now(); due += 1000 / perSecond) void this.#askNext()
    }
    this.#timers = [setInterval(askWhenDue, 4), setInterval(() => void this.#refresh(), refreshEveryMs)]
  }

  /** @returns what was served since the last time, with all that waits now */
  async take(): Promise<Served> {
    await Promise.all(this.#waiting)
    const served = this.#served
    this.#served = { reads: [], writes: [], faults: {} }
    return served
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
    for (const connection of this.#idle) connection.close()
  }

  async #askNext(): Promise<void> {
    const turn = this.#turn++
    const make = asks[turn % asks.length]
    if (make !== undefined) await this.#ask(make(this.#target, turn))
  }

  /** The next pair; its first use is the next request. */
  async #refresh(): Promise<void> {
    const body = { refreshToken: this.#refreshToken }
    const reply = await this.#ask({ kind: 'write', status: 200, path: '/api/auth/refresh', body })
    if (reply?.status !== 200) return
    const pair: { accessToken: string; refreshToken: string } = JSON.parse(reply.body)
    this.#accessToken = pair.accessToken
    this.#refreshToken = pair.refreshToken
  }

  async #ask({ kind, status, ...request }: Ask): Promise<Reply | null> {
    const headers = { ...bearer({ accessToken: this.#accessToken }), ...forwardedFrom(ourAddress) }
    const connection = this.#connection()
    const begin = performance.now()
    const answered = connection.ask(requestBytes({ ...request, headers }))
    this.#waiting.add(answered)
    const reply = await answered
    this.#waiting.delete(answered)
    if (reply !== null) this.#idle.push(connection)
    const failed = reply?.body.startsWith('{"errors"') === true
    if (reply?.status === status && !failed) {
      this.#served[kind === 'read' ? 'reads' : 'writes'].push(performance.now() - begin)
    } else {
      const fault = `${kind} ${failed ? 'errors' : (reply?.status ?? connection.fault)}`
      this.#served.faults[fault] = (this.#served.faults[fault] ?? 0) + 1
    }
    return reply
  }

  /** One that was idle for long may have been closed. */
  #connection(): Connection {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (!idle.isClosed) return idle
    }
    return new Connection(this.#target.port)
  }
}

const read = (path: string, body?: object): Ask => ({
  kind: 'read',
  status: 200,
  path,
  ...(body && { body }),
})
const byId = ({ wellBehaved: { productIds } }: Target, turn: number) =>
  `/api/products/${productIds[turn % productIds.length]}`

/** What it asks, by turns. */
export const asks: readonly ((target: Target, turn: number) => Ask)[] = [
  (target, turn) => read(byId(target, turn)),
  () => read('/api/products?limit=50'),
  (target, turn) => read(byId(target, turn)),
  () => read('/graphql', { query: '{ products(where: { price: { lt: 20 } }) { id name price } }' }),
  (target, turn) => read(byId(target, turn)),
  (_target, turn) => ({
    kind: 'write',
    status: 201,
    path: '/api/products',
    body: { name: `Chair ${turn}`, price: 1000 },
  }),
  () => read('/graphql', { query: '{ orders(first: 10) { nodes { number total items { name } } } }' }),
  (target, turn) => read(byId(target, turn)),
  (_target, turn) => read(`/api/products/search/lamp ${turn % 300}`.replace(' ', '%20')),
  (target, turn) => ({
    kind: 'write',
    method: 'PUT',
    status: 200,
    path: byId(target, turn),
    body: { name: `Lamp ${turn}`, price: turn % 300 },
  }),
  (target, turn) => read(byId(target, turn)),
  () => read('/api/orders?limit=20'),
  () => read('/api/products/search/leaflet?limit=50'),
  (target, turn) => ({
    kind: 'write',
    status: 201,
    path: '/api/orders',
    body: {
      customerId: 'customer-7',
      items: [
        {
          productId: target.wellBehaved.productIds[turn % target.wellBehaved.productIds.length] ?? '',
          quantity: 2,
        },
      ],
    },
  }),
]

class Connection {
  fault = 'unanswered'
  readonly #socket: Socket
  #done: (reply: Reply | null) => void = () => undefined

  constructor(port: number) {
    const reader = new ReplyReader((reply) => this.#settle(reply), true)
    this.#socket = connect({ port, host: proxyAddress, noDelay: true })
      .on('data', (bytes: Buffer) => reader.push(bytes))
      .on('error', (error: NodeJS.ErrnoException) => {
        this.fault = error.code ?? error.message
      })
      .once('close', () => this.#settle(null))
  }

  get isClosed(): boolean {
    return this.#socket.destroyed || this.#socket.readyState === 'writeOnly'
  }

  /** @returns `null` when it is not answered */
  ask(request: Buffer): Promise<Reply | null> {
    if (this.#socket.destroyed) return Promise.resolve(null)
    return new Promise((resolve) => {
      const late = setTimeout(() => this.#socket.destroy(), timeoutMs)
      this.#done = (reply) => {
        clearTimeout(late)
        resolve(reply)
      }
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #settle(reply: Reply | null): void {
    this.#done(reply)
    this.#done = () => undefined
  }
}
