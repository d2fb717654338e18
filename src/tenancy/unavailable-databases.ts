/** Tracks tenants' databases that cannot be opened: they are retried with growing pauses, and logged once. */
import type { Logger } from '../core/context.ts'
import { TenantDatabaseUnavailable } from '../core/tenant/unavailable-database.ts'
import { LruMap } from '../database/lru-map.ts'

const firstPauseMs = 1000
/** A recovered database is noticed within this time. */
const maxPauseMs = 5000
/** The maximum number of databases that are tracked. */
const capacity = 10_000

interface Outage {
  cause: unknown
  attempts: number
  pausedUntilMs: number
}

export class UnavailableDatabases {
  readonly #log: Logger
  readonly #outages = new LruMap<string, Outage | null>(capacity)

  constructor(log: Logger) {
    this.#log = log
  }

  /** @throws TenantDatabaseUnavailable during a pause */
  refuse(location: string): void {
    const outage = this.#outages.get(location) ?? null
    if (outage === null) return
    const waitMs = outage.pausedUntilMs - performance.now()
    if (waitMs > 0) throw new TenantDatabaseUnavailable(outage.cause, waitMs)
  }

  /**
   * @param isRemote whether the database is on a server; a file is cheap to retry, and may be replaced at any time
   * @throws what `open` throws
   */
  async attempt<T>(
    database: { location: string; tenantId: string; isRemote: boolean },
    open: () => Promise<T>,
  ): Promise<T> {
    const { location, tenantId } = database
    try {
      const opened = await open()
      const { attempts = 0 } = this.#outages.get(location) ?? {}
      if (attempts > 0) this.#log.info({ tenantId, attempts }, 'tenant database available again')
      this.#outages.set(location, null)
      return opened
    } catch (cause) {
      this.#note(database, cause)
      throw cause
    }
  }

  #note(
    { location, tenantId, isRemote }: { location: string; tenantId: string; isRemote: boolean },
    cause: unknown,
  ): void {
    const before = this.#outages.get(location) ?? null
    const attempts = (before?.attempts ?? 0) + 1
    const pauseMs = isRemote ? Math.min(firstPauseMs * 2 ** (attempts - 1), maxPauseMs) : 0
    this.#outages.set(location, { cause, attempts, pausedUntilMs: performance.now() + pauseMs })
    const isLogged = before !== null && textOf(before.cause) === textOf(cause)
    const text = 'tenant database unavailable; retried with growing pauses'
    if (!isLogged) this.#log.warn({ err: cause, tenantId }, text)
  }
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
