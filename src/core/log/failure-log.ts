/**
 * Logs failed requests and jobs. Unexpected errors are logged each. Of equal failures, as while a database is
 * unavailable, a few in each second are logged, and the others are counted.
 */
import { DatabaseLost } from '../../database/executor.ts'
import type { ServiceError } from '../errors.ts'
import { TenantDatabaseUnavailable } from '../tenant/unavailable-database.ts'

/** How many equal failures are logged in a second: thousands of requests may fail alike. */
const maxPerSecond = 2
const windowMs = 1000

interface Log {
  error(detail: object, text: string): void
}

interface Window {
  logged: number
  suppressed: number
}

export class FailureLog {
  readonly #log: Log
  readonly #windows = new Map<string, Window>()

  constructor(log: Log) {
    this.#log = log
  }

  /**
   * @param error the thrown error @param known the error that the reply has
   * @param database of a tenant, or `''`: equal failures of different databases are logged separately
   */
  report(error: unknown, known: ServiceError, database: string, detail: object): void {
    // The loss of a tenant's database was logged when it was detected.
    if (known instanceof TenantDatabaseUnavailable && known.cause instanceof DatabaseLost) return
    if (known.kind !== 'unavailable' || this.#mayLog(known, database)) {
      this.#log.error({ err: error, ...detail }, known.kind)
    }
  }

  #mayLog(known: ServiceError, database: string): boolean {
    const cause = known.cause instanceof Error ? known.cause : known
    const key = `${database} ${cause.message}`
    const window = this.#windows.get(key) ?? this.#begin(key, { database, reason: cause.message })
    if (window.logged < maxPerSecond) {
      window.logged++
      return true
    }
    window.suppressed++
    return false
  }

  #begin(key: string, detail: object): Window {
    const window = { logged: 0, suppressed: 0 }
    this.#windows.set(key, window)
    setTimeout(() => {
      this.#windows.delete(key)
      const { suppressed } = window
      if (suppressed > 0) this.#log.error({ ...detail, suppressed }, 'unavailable, not logged individually')
    }, windowMs).unref()
    return window
  }
}
