/**
 * Serves the requests of a connection one at a time, in their order (RFC 9112, section 9.3.2): the next when the reply
 * before has left the process. Otherwise all replies to a client that reads nothing would be held at once.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ConcurrencyLimiter, fairShare } from '../../../core/limits/concurrency-limiter.ts'
import type { LimitMonitor } from '../../../core/limits/limit-monitor.ts'
import { clientNetwork } from '../../../core/network.ts'

/** Of one connection. One that sends more before it is answered is closed. */
const maxWaiting = 32
/** Of all connections: each holds its headers, of 16 KiB at most. */
const maxWaitingInAll = 8192

type Serve = () => void

export class PipelinedRequests {
  readonly #monitor: LimitMonitor
  readonly #addresses = new ConcurrencyLimiter()
  /** Permits of the requests that wait, in their order. */
  readonly #waiting = new WeakMap<Socket, (() => void)[]>()
  readonly #unanswered = new WeakMap<Socket, number>()

  constructor(monitor: LimitMonitor) {
    this.#monitor = monitor
  }

  /** @param server with all its listeners: they see a request when it is its turn */
  guard(server: Server): void {
    const serving = server.listeners('request')
    server.removeAllListeners('request')
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#count(request.socket, 1)
      response.once('close', () => this.#count(request.socket, -1))
      const serve = () => {
        for (const each of serving) each.call(server, request, response)
      }
      // Node loses what comes with an upgrade that is not made: the client is not to wait for a reply to it.
      if (request.headers.upgrade !== undefined && response.socket === null) response.shouldKeepAlive = false
      // Node gives a response its socket when the one before it on the connection has left.
      if (response.socket !== null) serve()
      else this.#wait(request.socket, response, serve)
    })
  }

  /** Whoever would upgrade such a connection would answer before the replies that are due. */
  hasUnanswered(socket: Socket): boolean {
    return (this.#unanswered.get(socket) ?? 0) > 0
  }

  #count(socket: Socket, change: 1 | -1): void {
    this.#unanswered.set(socket, (this.#unanswered.get(socket) ?? 0) + change)
  }

  #wait(socket: Socket, response: ServerResponse, serve: Serve): void {
    if (socket.destroyed) return // its requests that were read together with the one too many
    const waiting = this.#waitingOn(socket)
    const permit = waiting.length < maxWaiting ? this.#acquire(socket) : null
    if (permit === null) {
      this.#monitor.refused('pipelined requests', { address: socket.remoteAddress })
      socket.destroy()
      return
    }
    waiting.push(permit)
    response.once('socket', () => {
      waiting.shift()?.()
      setImmediate(() => socket.writable && serve())
    })
  }

  #acquire(socket: Socket): (() => void) | null {
    const max = fairShare(maxWaitingInAll, this.#addresses.total)
    return this.#addresses.acquire(clientNetwork(socket.remoteAddress ?? ''), max)
  }

  #waitingOn(socket: Socket): (() => void)[] {
    const known = this.#waiting.get(socket)
    if (known !== undefined) return known
    const waiting: (() => void)[] = []
    this.#waiting.set(socket, waiting)
    socket.once('close', () => {
      for (const release of waiting.splice(0)) release()
    })
    return waiting
  }
}
