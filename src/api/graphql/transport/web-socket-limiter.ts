/** Limits WebSockets: in total and by address at the upgrade, by tenant and user after authentication. */
import type { WebSocketLimits } from '../../../core/limits/client-limits.ts'
import { ConcurrencyLimiter, fairShare } from '../../../core/limits/concurrency-limiter.ts'
import type { LimitMonitor } from '../../../core/limits/limit-monitor.ts'
import { clientNetwork } from '../../../core/network.ts'

/** The share of WebSockets without a user. */
const anonymousShare = 0.1

export class WebSocketLimiter {
  readonly limits: WebSocketLimits
  readonly #monitor: LimitMonitor
  readonly #addresses = new ConcurrencyLimiter()
  readonly #tenants = new ConcurrencyLimiter()
  readonly #users = new ConcurrencyLimiter()
  readonly #anonymous = new ConcurrencyLimiter()

  constructor(limits: WebSocketLimits, monitor: LimitMonitor) {
    this.limits = limits
    this.#monitor = monitor
  }

  get open(): number {
    return this.#addresses.total
  }

  /** Reports a WebSocket that was cut or closed for another limit. */
  report(reason: string, detail: Readonly<Record<string, unknown>>): void {
    this.#monitor.refused(reason, detail)
  }

  /** @returns `total` or `address` for the limit that is reached */
  acquire(address: string): WebSocketPermit | 'total' | 'address' {
    const { total } = this.limits
    if (this.open >= total) {
      this.#monitor.refused('websockets', { max: total })
      return 'total'
    }
    const network = clientNetwork(address)
    const release = this.#addresses.acquire(network, fairShare(total, this.open))
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

  #enter(network: string, tenantId: string, userId: string | null): (() => void) | null {
    const own = userId === null ? this.#acquireAnonymous(network) : this.#acquireForUser(tenantId, userId)
    if (own === null) return null
    const { total } = this.limits
    const used = this.#tenants.total
    // As fair as between addresses, but a single tenant may have half of all.
    const tenant = this.#tenants.acquire(tenantId, Math.max(1, total - used))
    if (tenant === null) {
      own()
      this.#monitor.refused('websockets of a tenant', { tenantId })
      return null
    }
    return () => {
      tenant()
      own()
    }
  }

  #acquireForUser(tenantId: string, userId: string): (() => void) | null {
    const release = this.#users.acquire(userId, this.limits.user)
    if (release === null) this.#monitor.refused('websockets of a user', { tenantId, userId })
    return release
  }

  #acquireAnonymous(network: string): (() => void) | null {
    const { anonymous, total } = this.limits
    const hasCapacity = this.#anonymous.total < Math.max(1, total * anonymousShare)
    const release = hasCapacity ? this.#anonymous.acquire(network, anonymous) : null
    if (release === null) this.#monitor.refused('anonymous websockets', { address: network })
    return release
  }
}

type Enter = (tenantId: string, userId: string | null) => (() => void) | null

/** The permits of one WebSocket, from its upgrade to its end. */
export class WebSocketPermit {
  readonly #enter: Enter
  readonly #release: () => void
  #leave: (() => void) | null = null
  #isReleased = false

  constructor(enter: Enter, release: () => void) {
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
