/**
 * Limits client connections, in total and by address, before the server reads from them. One address leaves most
 * connections to others, so that health checks are answered.
 */

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { ConcurrencyLimiter } from '../../../core/limits/concurrency-limiter.ts'
import type { LimitMonitor } from '../../../core/limits/limit-monitor.ts'
import { clientNetwork } from '../../../core/network.ts'
import type { TrustProxy } from '../../../core/settings/parse.ts'
import { fairShareText, type Limit } from '../../../database/limit.ts'
import { trustedProxies } from './proxy.ts'
import { rejectConnection } from './reject-connection.ts'

export interface ConnectionLimiterOptions {
  max: number
  /** Connections of proxies are bounded in total only, because they carry all clients. */
  trustProxy: TrustProxy
  monitor: LimitMonitor
}

export const connectionLimit: Limit = {
  name: 'connections',
  kind: 'permits',
  bounds: { instance: 'the setting, at most half of the open files', address: fairShareText },
  changedBy: ['MAX_CONNECTIONS'],
  beyond: '503, for an address 429, with `Retry-After`',
  reasons: ['connections', 'connections of an address'],
  metrics: ['client_connections'],
  page: 'operations/client-connections.md#limits',
}

/** Refusals in progress. Further connections are closed without a reply. */
const maxRejecting = 128
const retryAfterSeconds = 5

/** @param descriptors of the process; half of them are for databases and webhooks */
export function maxConnectionsWithin(setting: number, descriptors: number | null): number {
  return descriptors === null ? setting : Math.max(1, Math.min(setting, Math.floor(descriptors / 2)))
}

export class ConnectionLimiter {
  readonly #isProxy: (address: string, hop: number) => boolean
  readonly #monitor: LimitMonitor
  readonly #permits: ConcurrencyLimiter
  #rejecting = 0

  constructor({ max, trustProxy, monitor }: ConnectionLimiterOptions) {
    this.#permits = new ConcurrencyLimiter(max)
    this.#isProxy = trustedProxies(trustProxy)
    this.#monitor = monitor
  }

  get max(): number {
    return this.#permits.max
  }

  get open(): number {
    return this.#permits.total
  }

  /** @param server with all its listeners: they receive admitted connections only */
  guard(server: Server): void {
    const accepting = server.listeners('connection')
    server.removeAllListeners('connection')
    server.on('connection', (socket: Socket) => {
      if (this.#admit(socket)) for (const accept of accepting) accept.call(server, socket)
    })
  }

  #admit(socket: Socket): boolean {
    const address = socket.remoteAddress ?? ''
    const permits = this.#permits
    if (permits.isFull) {
      this.#monitor.refused('connections', { max: this.max })
      return this.#reject(socket, 'unavailable')
    }
    const isProxy = this.#isProxy(address, 0)
    const release = permits.acquire(
      isProxy ? [] : [{ holder: clientNetwork(address), max: permits.fairShare }],
    )
    if (release === null) {
      this.#monitor.refused('connections of an address', { address })
      return this.#reject(socket, 'tooManyRequests')
    }
    this.#observe()
    // Not `once`, which takes more memory: a socket closes once.
    socket.on('close', () => {
      release()
      this.#observe()
    })
    return true
  }

  #observe(): void {
    this.#monitor.observe('connections', this.open, this.max)
  }

  #reject(socket: Socket, kind: 'unavailable' | 'tooManyRequests'): false {
    if (this.#rejecting >= maxRejecting) socket.destroy()
    else {
      this.#rejecting++
      socket.once('close', () => {
        this.#rejecting--
      })
      rejectConnection(socket, { kind, message: 'There are too many connections.', retryAfterSeconds })
    }
    return false
  }
}
