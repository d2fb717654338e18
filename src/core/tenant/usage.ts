/**
 * Counts in memory how much each tenant uses this instance. A job adds the counts to the catalogue from time to
 * time.
 */

export interface UsageCounts {
  requests: number
  /** The requests with the status 500 or more. */
  errors: number
  signIns: number
}

/** The maximum number of tenants that are counted between two runs of the job. Further tenants are not counted. */
const maxTenants = 20_000

export class TenantUsage {
  #counts = new Map<string, UsageCounts>()

  countRequest(tenantId: string, status: number): void {
    const counts = this.#of(tenantId)
    if (counts === null) return
    counts.requests++
    if (status >= 500) counts.errors++
  }

  countSignIn(tenantId: string): void {
    const counts = this.#of(tenantId)
    if (counts !== null) counts.signIns++
  }

  /** @returns the counts since the last call, by tenant */
  take(): ReadonlyMap<string, UsageCounts> {
    const counts = this.#counts
    this.#counts = new Map()
    return counts
  }

  /** Counts again what was taken and could not be stored. */
  giveBack(taken: ReadonlyMap<string, UsageCounts>): void {
    for (const [tenantId, { requests, errors, signIns }] of taken) {
      const counts = this.#of(tenantId)
      if (counts === null) continue // later tenants may be counted already
      counts.requests += requests
      counts.errors += errors
      counts.signIns += signIns
    }
  }

  #of(tenantId: string): UsageCounts | null {
    const known = this.#counts.get(tenantId)
    if (known !== undefined) return known
    if (this.#counts.size >= maxTenants) return null
    const counts = { requests: 0, errors: 0, signIns: 0 }
    this.#counts.set(tenantId, counts)
    return counts
  }
}
