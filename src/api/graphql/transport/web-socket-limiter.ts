/** Limits WebSockets: in total and by address at the upgrade, by tenant and user after authentication. */
import { defaultWebSocketLimits, type WebSocketLimits } from '../../../core/limits/client-limits.ts'
import { type Bound, ConcurrencyLimiter, type Release } from '../../../core/limits/concurrency-limiter.ts'
import type { LimitMonitor } from '../../../core/limits/limit-monitor.ts'
import { clientNetwork } from '../../../core/network.ts'
import { fairShareText, type Limit } from '../../../database/limit.ts'

/** The share of all WebSockets that connections without a user may take. */
const anonymousShare = 0.1

const initial = defaultWebSocketLimits(0)

export const webSocketLimit: Limit = {
  name: 'WebSockets',
  kind: 'permits',
  bounds: {
    instance: 'three quarters of `MAX_CONNECTIONS`',
    tenant: 'as many as are free',
    address: fairShareText,
    user: initial.user,
    'clients without a user': 'a tenth of all',
    'address without a user': initial.anonymous,
  },
  changedBy: ['webSocketLimits'],
  beyond: '503, for an address 429; for a tenant or a user it is closed with 1013',
  reasons: [
    'websockets',
    'websockets of an address',
    'websockets of a tenant',
    'websockets of a user',
    'anonymous websockets',
  ],
  metrics: ['client_connections'],
  page: 'graphql.md#connections-and-subscriptions',
}

/** How many operations of one WebSocket may be in progress. */
export const maxOperations = 100

export const operationLimit: Limit = {
  name: 'operations in progress on a WebSocket',
  kind: 'permits',
  bounds: { connection: maxOperations },
  beyond: 'an error `HC0047`',
  page: 'graphql.md#connections-and-subscriptions',
}

export class WebSocketLimiter {
  readonly limits: WebSocketLimits
  readonly #monitor: LimitMonitor
  readonly #open: ConcurrencyLimiter
  readonly #entered = new ConcurrencyLimiter()

  constructor(limits: WebSocketLimits, monitor: LimitMonitor) {
    this.limits = limits
    this.#open = new ConcurrencyLimiter(limits.total)
    this.#monitor = monitor
  }

  get open(): number {
    return this.#open.total
  }

  /** Reports a WebSocket that was cut or closed for another limit. */
  report(reason: string, detail: Readonly<Record<string, unknown>>): void {
    this.#monitor.refused(reason, detail)
  }

  /** @returns `total` or `address` for the limit that is reached */
  acquire(address: string): WebSocketPermit | 'total' | 'address' {
    const { total } = this.limits
    if (this.#open.isFull) {
      this.#monitor.refused('websockets', { max: total })
      return 'total'
    }
    const network = clientNetwork(address)
    const release = this.#open.acquire([{ holder: network, max: this.#open.fairShare }])
    if (release === null) {
      this.#monitor.refused('websockets of an address', { address })
      return 'address'
    }
    this.#monitor.observe('websockets', this.open, total)
    return new WebSocketPermit(
      (tenantId, userId) => this.#enter(network, tenantId, userId),
      () => {
        release()
        this.#monitor.observe('websockets', this.open, total)
      },
    )
  }

  #enter(network: string, tenantId: string, userId: string | null): Release | null {
    const own = userId === null ? this.#anonymousBounds(network) : [this.#userBound(tenantId, userId)]
    // A tenant may have as many as are free: one tenant alone gets at most half, and others still get some.
    const max = Math.max(1, this.limits.total - this.#entered.total)
    const ofTenant = { holder: tenantId, max, reason: 'websockets of a tenant', detail: { tenantId } }
    const path = [...own, ofTenant]
    const reached = this.#entered.reached(path)
    if (reached !== undefined) this.#monitor.refused(reached.reason, reached.detail)
    return this.#entered.acquire(path)
  }

  #anonymousBounds(network: string): ReportedBound[] {
    const { anonymous, total } = this.limits
    const reported = { reason: 'anonymous websockets', detail: { address: network } }
    return [
      { holder: 'all anonymous', max: Math.max(1, total * anonymousShare), ...reported },
      { holder: `from ${network}`, max: anonymous, ...reported },
    ]
  }

  #userBound(tenantId: string, userId: string): ReportedBound {
    const detail = { tenantId, userId }
    return { holder: `user ${userId}`, max: this.limits.user, reason: 'websockets of a user', detail }
  }
}

interface ReportedBound extends Bound {
  reason: string
  detail: Readonly<Record<string, unknown>>
}

type Enter = (tenantId: string, userId: string | null) => Release | null

/** The permits of one WebSocket, from its upgrade to its end. */
export class WebSocketPermit {
  readonly #enter: Enter
  readonly #release: Release
  #leave: Release | null = null
  #isReleased = false

  constructor(enter: Enter, release: Release) {
    this.#enter = enter
    this.#release = release
  }

  /** @returns false when the limit of its tenant or user is reached */
  enter(tenantId: string, userId: string | null): boolean {
    const leave = this.#enter(tenantId, userId)
    if (leave === null) return false
    if (this.#isReleased) leave()
    else this.#leave = leave
    return true
  }

  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#leave?.()
    this.#release()
  }
}
