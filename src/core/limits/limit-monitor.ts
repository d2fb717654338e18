/** Reports to the operator that a bound is nearly reached or refuses something: when it begins, not each time. */

import { Counter } from '../counter.ts'
import type { Sample } from '../metric.ts'

const nearShare = 0.8
/** Only below this share a further crossing is reported: a number that sways around 80 % is one crossing. */
const clearShare = 0.7
/** While refusals go on, they are reported again after so long. */
const repeatAfterMs = 60_000

interface Log {
  warn(detail: object, text: string): void
}

export class LimitMonitor {
  readonly #log: Log
  readonly #refusals = new Counter(['reason'])
  readonly #near = new Set<string>()
  readonly #reportedAtMs = new Map<string, number>()

  constructor(log: Log) {
    this.#log = log
  }

  /** @param what is bounded, such as `connections` */
  observe(what: string, used: number, max: number): void {
    if (used >= max * nearShare) {
      if (this.#near.has(what)) return
      this.#near.add(what)
      this.#log.warn({ limit: what, used, max }, 'limit nearly reached')
    } else if (used < max * clearShare) this.#near.delete(what)
  }

  /** @param reason one of few: the limit that was exceeded @param detail whose it was, for the log */
  refused(reason: string, detail: Readonly<Record<string, unknown>> = {}): void {
    this.#refusals.count({ reason })
    const now = performance.now()
    const reportedAtMs = this.#reportedAtMs.get(reason)
    if (reportedAtMs !== undefined && now - reportedAtMs < repeatAfterMs) return
    this.#reportedAtMs.set(reason, now)
    this.#log.warn({ limit: reason, ...detail }, 'limit exceeded')
  }

  /** Refusals by reason since the start. */
  samples(): Sample[] {
    return this.#refusals.samples()
  }
}
