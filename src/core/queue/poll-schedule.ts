/**
 * Schedules the polls of a queue's worker, which claim due work, and the scans, which search the database for work that
 * the worker does not know of.
 */
import type { Queue } from './queue.ts'

/** The maximum share of the time that scans take. */
const maxScanShare = 0.05
const minBackoffMs = 100
const maxBackoffMs = 5000
const maxTimerMs = 60 * 60 * 1000

export class PollSchedule {
  readonly #scanEveryMs: number | null
  readonly #clock: () => Date
  readonly #wake: () => void
  #timer: NodeJS.Timeout | null = null
  #failures = 0
  /** When the next scan is due, on the clock of `performance.now`. */
  #scanAtMs = 0
  #isScanRequested = false
  /** When the last poll began, on the clock of the due moments. */
  #polledAtMs = 0

  /** @param scanEveryMs `null`: scans only on request @param wake called by the timer */
  constructor(scanEveryMs: number | null, clock: () => Date, wake: () => void) {
    this.#scanEveryMs = scanEveryMs
    this.#clock = clock
    this.#wake = wake
  }

  get failures(): number {
    return this.#failures
  }

  /** Whether the last poll failed and the timer has not fired yet. */
  get isBackingOff(): boolean {
    return this.#failures > 0 && this.#timer !== null
  }

  /** Requests a scan that begins after now: a scan in progress may have read before the work was committed. */
  requestScan(): void {
    this.#isScanRequested = true
  }

  /** Records the beginning of a poll. @returns whether it has to scan first */
  begin(): boolean {
    this.#polledAtMs = this.#clock().getTime()
    if (this.#isScanRequested) this.#scanAtMs = 0 // due until a scan has succeeded
    this.#isScanRequested = false
    return performance.now() >= this.#scanAtMs
  }

  /** Records the end of a scan. @param beganMs on the clock of `performance.now` */
  scanned(beganMs: number): void {
    const endedMs = performance.now()
    this.#scanAtMs = endedMs + Math.max(this.#scanEveryMs ?? 0, (endedMs - beganMs) / maxScanShare)
  }

  succeeded(): void {
    this.#failures = 0
  }

  failed(): void {
    this.#failures++
  }

  /** Sets the timer for the next due moment of the queues. */
  rest(queues: readonly Queue[]): void {
    this.cancel()
    const waitMs = this.#waitMs(queues)
    if (waitMs !== null) this.#timer = setTimeout(() => this.#onTimer(), waitMs).unref()
  }

  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  #onTimer(): void {
    this.#timer = null
    this.#wake()
  }

  #waitMs(queues: readonly Queue[]): number | null {
    if (this.#failures > 0) return Math.min(minBackoffMs * 2 ** (this.#failures - 1), maxBackoffMs)
    // Work that has become due since the last poll began was not claimed by it.
    const moments = queues.flatMap(({ dueIndex }) => dueIndex.nextAfter(this.#polledAtMs) ?? [])
    const nowMs = this.#clock().getTime()
    const waits = moments.map((nextMs) => Math.max(nextMs - nowMs, 0) + 1)
    if (this.#scanEveryMs !== null) waits.push(this.#scanEveryMs)
    return waits.length === 0 ? null : Math.min(...waits, maxTimerMs)
  }
}
