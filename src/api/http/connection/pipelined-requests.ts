/**
 * Serves the requests of a connection in order (RFC 9112, section 9.3.2), each after the previous reply has left the
 * process. Otherwise all replies to a client that does not read would be in memory at once.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ConcurrencyLimiter, type Release } from '../../../core/limits/concurrency-limiter.ts'
import type { LimitMonitor } from '../../../core/limits/limit-monitor.ts'
import { clientNetwork } from '../../../core/network.ts'
import { fairShareText, type Limit } from '../../../database/limit.ts'
import type { OpenReplies } from './open-replies.ts'

/** The waiting requests of one connection. A connection with more is closed. */
const maxWaiting = 32
/** The waiting requests of all connections. Each holds at most 16 KiB of headers. */
const maxTotalWaiting = 8192

export const pipelinedRequestLimit: Limit = {
  name: 'requests that wait on their connection',
  kind: 'permits',
  bounds: {
    instance: maxTotalWaiting,
    address: `${fairShareText}, always one`,
    connection: maxWaiting,
  },
  beyond: 'the connection is closed',
  reasons: ['pipelined requests'],
  page: 'api/replies.md#pipelining',
}

type Serve = () => void

export class PipelinedRequests {
  readonly #replies: OpenReplies
  readonly #monitor: LimitMonitor
  readonly #permits = new ConcurrencyLimiter(maxTotalWaiting)
  /** The permits of the waiting requests, in order. */
  readonly #waiting = new WeakMap<Socket, Release[]>()

  constructor(replies: OpenReplies, monitor: LimitMonitor) {
    this.#replies = replies
    this.#monitor = monitor
  }

  /** @param server with all its listeners: they receive each request in its turn */
  guard(server: Server): void {
    const serving = server.listeners('request')
    server.removeAllListeners('request')
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const serve = (): void => {
        if (!request.socket.writable) return // the reply before was the last of the connection
        for (const each of serving) each.call(server, request, response)
      }
      // Node.js discards the bytes after a refused upgrade: the client must not wait for replies to them.
      if (request.headers.upgrade !== undefined && response.socket === null) response.shouldKeepAlive = false
      // Node.js assigns the socket to a response when the previous response has left.
      if (response.socket !== null) serve()
      else this.#wait(request.socket, response, serve)
    })
  }

  /** Whether the connection has pending replies, which an upgrade would overtake. */
  hasUnanswered(socket: Socket): boolean {
    return this.#replies.isOpenOn(socket) || (this.#waiting.get(socket)?.length ?? 0) > 0
  }

  #wait(socket: Socket, response: ServerResponse, serve: Serve): void {
    if (socket.destroyed) return // requests read together with the excessive one
    const waiting = this.#waitingOn(socket)
    const permit = waiting.length < maxWaiting ? this.#acquire(socket) : null
    if (permit === null) {
      this.#monitor.refused('pipelined requests', { address: socket.remoteAddress })
      socket.destroy()
      return
    }
    waiting.push(permit)
    response.once('socket', () => {
      setImmediate(() => {
        waiting.shift()?.()
        serve()
      })
    })
  }

  #acquire({ remoteAddress = '' }: Socket): Release | null {
    return this.#permits.acquire([{ holder: clientNetwork(remoteAddress), max: this.#permits.fairShare }])
  }

  #waitingOn(socket: Socket): Release[] {
    const known = this.#waiting.get(socket)
    if (known !== undefined) return known
    const waiting: Release[] = []
    this.#waiting.set(socket, waiting)
    socket.once('close', () => {
      for (const release of waiting.splice(0)) release()
    })
    return waiting
  }
}
