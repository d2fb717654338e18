/** Logs when a limit begins to be nearly reached or exceeded, not each time. */

import { LogThrottle } from '../log/log-throttle.ts'
import { Counter, type Sample } from '../metric.ts'

const nearShare = 0.8
/** Use has to fall below this share before "nearly reached" is logged again, so that small changes are not logged. */
const clearShare = 0.7
/** While refusals continue, they are logged once in this interval. */
const intervalMs = 60_000
const maxReasons = 100

interface Log {
  warn(detail: object, text: string): void
}

export class LimitMonitor {
  readonly #log: Log
  readonly #refusals = new Counter(['reason'])
  readonly #near = new Set<string>()
  readonly #throttle = new LogThrottle({ intervalMs, maxKeys: maxReasons, nowMs: () => performance.now() })

  constructor(log: Log) {
    this.#log = log
  }

  /** @param what the limit bounds, such as `connections` */
  observe(what: string, used: number, max: number): void {
    if (used >= max * nearShare) {
      if (this.#near.has(what)) return
      this.#near.add(what)
      this.#log.warn({ limit: what, used, max }, 'limit nearly reached')
    } else if (used < max * clearShare) this.#near.delete(what)
  }

  /** @param reason the limit that was exceeded, one of few @param detail for the log */
  refused(reason: string, detail: Readonly<Record<string, unknown>> = {}): void {
    this.#refusals.count({ reason })
    if (!this.#throttle.isDue(reason)) return
    this.#log.warn({ limit: reason, ...detail }, 'limit exceeded')
  }

  /** Refusals by reason since the start. */
  samples(): Sample[] {
    return this.#refusals.samples()
  }
}
