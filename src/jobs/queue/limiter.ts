/** Limits how many jobs this instance runs at once, for all tenants and for each. */
import { fairShare } from '../../core/limits/concurrency-limiter.ts'

export interface JobLimits {
  /** Jobs at once. */
  total: number
  /** Jobs of one tenant at once. */
  perTenant: number
  /** How long a job stays claimed after its instance has died. */
  leaseMs: number
  /** How long a stop waits for aborted jobs. */
  abortMs: number
}

export const defaultJobLimits: JobLimits = { total: 100, perTenant: 50, leaseMs: 30_000, abortMs: 5000 }

export interface TenantPermits {
  tenantId: string
  permits: number
}

export class JobLimiter {
  readonly #limits: JobLimits
  readonly #held = new Map<string, number>()
  #inUse = 0

  constructor(limits: JobLimits) {
    this.#limits = limits
  }

  get inUse(): number {
    return this.#inUse
  }

  /** The number of further jobs that the tenant may begin now. A tenant without jobs always finds some permits left. */
  available(tenantId: string): number {
    const { total, perTenant } = this.#limits
    const held = this.#held.get(tenantId) ?? 0
    const reserved = held === 0 ? 0 : Math.floor(total / 4)
    return Math.max(0, Math.min(perTenant - held, total - reserved - this.#inUse))
  }

  /** Acquires permits for the tenants in this order. Each leaves some to those that follow. */
  acquire(tenantIds: readonly string[]): TenantPermits[] {
    const acquired: TenantPermits[] = []
    for (const [index, tenantId] of tenantIds.entries()) {
      const isLast = index === tenantIds.length - 1
      const share = isLast ? this.#limits.total : fairShare(this.#limits.total, this.#inUse)
      const permits = Math.min(this.available(tenantId), share)
      if (permits <= 0) continue
      this.#change(tenantId, permits)
      acquired.push({ tenantId, permits })
    }
    return acquired
  }

  release(tenantId: string, permits: number): void {
    this.#change(tenantId, -permits)
  }

  #change(tenantId: string, permits: number): void {
    const held = (this.#held.get(tenantId) ?? 0) + permits
    if (held === 0) this.#held.delete(tenantId)
    else this.#held.set(tenantId, held)
    this.#inUse += permits
  }
}
