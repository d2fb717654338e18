export interface ThrottleOptions {
  intervalMs: number
  /** Keys within an interval; further keys are not logged. */
  maxKeys: number
  nowMs: () => number
}

/** Admits a log line once in an interval for each key, and for a bounded number of keys. */
export class LogThrottle {
  readonly #options: ThrottleOptions
  /** When each key may be logged again, the earliest first. */
  readonly #dueAtMs = new Map<string, number>()

  constructor(options: ThrottleOptions) {
    this.#options = options
  }

  /** @returns whether to log now */
  isDue(key: string): boolean {
    const { intervalMs, maxKeys, nowMs } = this.#options
    const now = nowMs()
    for (const [old, dueAtMs] of this.#dueAtMs) {
      if (dueAtMs > now) break
      this.#dueAtMs.delete(old)
    }
    if (this.#dueAtMs.has(key) || this.#dueAtMs.size >= maxKeys) return false
    this.#dueAtMs.set(key, now + intervalMs)
    return true
  }
}

/** @returns a throttle for log lines about undeclared names in requests, of which callers may send any number */
export function throttleNames(clock: () => Date): LogThrottle {
  return new LogThrottle({ intervalMs: 10 * 60_000, maxKeys: 100, nowMs: () => clock().getTime() })
}
