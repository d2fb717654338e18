/** Databases of tenants that cannot be opened: tried again with growing pauses, and told of once. */
import type { Logger } from '../core/context.ts'
import { TenantDatabaseUnavailable } from '../core/tenant/unavailable-database.ts'
import { LruMap } from '../database/lru-map.ts'

const firstPauseMs = 1000
/** A database that is back is noticed within this time. */
const maxPauseMs = 5000
/** More than tenants whose databases are away together. */
const capacity = 10_000

interface Absence {
  cause: unknown
  attempts: number
  pausedUntilMs: number
}

export class UnavailableDatabases {
  readonly #log: Logger
  readonly #absences = new LruMap<string, Absence | null>(capacity)

  constructor(log: Logger) {
    this.#log = log
  }

  /** @throws TenantDatabaseUnavailable while it is not to be tried */
  refuse(location: string): void {
    const absence = this.#absences.get(location) ?? null
    if (absence === null) return
    const waitMs = absence.pausedUntilMs - performance.now()
    if (waitMs > 0) throw new TenantDatabaseUnavailable(absence.cause, waitMs)
  }

  /**
   * @param isRemote of a server: a file costs nothing to be tried, and may be replaced at any moment
   * @throws what `open` throws
   */
  async attempt<T>(
    place: { location: string; tenantId: string; isRemote: boolean },
    open: () => Promise<T>,
  ): Promise<T> {
    const { location, tenantId } = place
    try {
      const opened = await open()
      const { attempts = 0 } = this.#absences.get(location) ?? {}
      if (attempts > 0) this.#log.info({ tenantId, attempts }, 'tenant database can be opened again')
      this.#absences.set(location, null)
      return opened
    } catch (cause) {
      this.#note(place, cause)
      throw cause
    }
  }

  #note(
    { location, tenantId, isRemote }: { location: string; tenantId: string; isRemote: boolean },
    cause: unknown,
  ): void {
    const before = this.#absences.get(location) ?? null
    const attempts = (before?.attempts ?? 0) + 1
    const pauseMs = isRemote ? Math.min(firstPauseMs * 2 ** (attempts - 1), maxPauseMs) : 0
    this.#absences.set(location, { cause, attempts, pausedUntilMs: performance.now() + pauseMs })
    const isTold = before !== null && textOf(before.cause) === textOf(cause)
    const text = 'tenant database cannot be opened, and is tried again with growing pauses'
    if (!isTold) this.#log.warn({ err: cause, tenantId }, text)
  }
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
