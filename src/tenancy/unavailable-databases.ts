/** Tracks tenants whose database cannot be opened. It is tried again with growing pauses, and logged once. */

import type { Logger } from '../core/context.ts'
import { TenantDatabaseUnavailable } from '../core/tenant/unavailable-database.ts'
import { LruMap } from '../database/lru-map.ts'
import { errorMessage } from '../database/thrown.ts'
import { faultOf } from './prepare.ts'

const firstPauseMs = 1000
/** The longest pause, within which a recovered database is noticed. */
const maxPauseMs = 5000
/** The maximum number of tenants that are tracked. */
const capacity = 10_000

/** A tenant's database that is to be opened. */
interface Attempted {
  tenantId: string
  /** The tenant's case-folded id. */
  key: string
  location: string
  /** Whether the database is on a server; a file is cheap to retry, and may be replaced at any time. */
  isRemote: boolean
}

interface Outage {
  tenantId: string
  location: string
  cause: unknown
  attempts: number
  pausedUntilMs: number
  /** False after a change of the tenant: it may have another database. */
  isCurrent: boolean
}

export class UnavailableDatabases {
  readonly #log: Logger
  readonly #outages = new LruMap<string, Outage>(capacity)

  constructor(log: Logger) {
    this.#log = log
  }

  /** @throws TenantDatabaseUnavailable during a pause */
  refuse(database: Attempted): void {
    const outage = this.#outageOf(database)
    if (outage === null) return
    const waitMs = outage.pausedUntilMs - performance.now()
    if (waitMs > 0) throw new TenantDatabaseUnavailable(outage.cause, waitMs)
  }

  /**
   * Ends the pause after a change of the tenant, which may have another database. The outage is remembered: if it goes
   * on, it is not logged again.
   * @param key the tenant's case-folded id
   */
  retryChanged(key: string): void {
    const outage = this.#outages.get(key)
    if (outage !== undefined) Object.assign(outage, { pausedUntilMs: 0, isCurrent: false })
  }

  /** Ends all pauses. The outages stay listed, because no tenant is known to have another database. */
  retryAll(): void {
    for (const [, outage] of this.#outages.entries()) outage.pausedUntilMs = 0
  }

  /** @returns the databases whose last attempt has failed */
  all(): { tenantId: string; cause: unknown }[] {
    return [...this.#outages.entries()].map(([, outage]) => outage).filter(({ isCurrent }) => isCurrent)
  }

  /** @throws what `open` throws */
  async attempt<T>(database: Attempted, open: () => Promise<T>): Promise<T> {
    const { key, tenantId } = database
    try {
      const opened = await open()
      const { attempts = 0 } = this.#outageOf(database) ?? {}
      if (attempts > 0) this.#log.info({ tenantId, attempts }, 'tenant database available again')
      this.#outages.delete(key)
      return opened
    } catch (cause) {
      this.#note(database, cause)
      throw cause
    }
  }

  #outageOf({ key, location }: Attempted): Outage | null {
    const outage = this.#outages.get(key)
    return outage?.location === location ? outage : null
  }

  #note(database: Attempted, cause: unknown): void {
    const { key, tenantId, location, isRemote } = database
    const before = this.#outageOf(database)
    const attempts = (before?.attempts ?? 0) + 1
    const fault = faultOf(cause)
    // Without a pause, a database that exists and is refused would be opened for each request.
    const hasPause = isRemote || fault === 'foreign' || fault === 'stale'
    const pauseMs = hasPause ? Math.min(firstPauseMs * 2 ** (attempts - 1), maxPauseMs) : 0
    const pausedUntilMs = performance.now() + pauseMs
    this.#outages.set(key, { tenantId, location, cause, attempts, pausedUntilMs, isCurrent: true })
    if (before !== null && isAlike(before.cause, cause)) return
    const detail = { err: cause, tenantId }
    if (fault === 'failed') this.#log.warn(detail, 'tenant database unavailable; retried with growing pauses')
    else this.#log.error({ ...detail, fault }, 'tenant database lost or damaged; not served')
  }
}

/** Whether a failure is logged already. Of lost and damaged databases the kind of fault decides: their texts vary. */
function isAlike(one: unknown, other: unknown): boolean {
  const fault = faultOf(one)
  return fault === faultOf(other) && (fault !== 'failed' || errorMessage(one) === errorMessage(other))
}
