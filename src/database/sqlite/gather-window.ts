import { setTimeout as delay } from 'node:timers/promises'

/** After a sync, the next batch gathers transactions for this share of the sync's duration. */
const gatherTimeShare = 0.25
const maxGatherMs = 10

/**
 * A pause between two syncs of the writer. On a slow disk, clients that were just answered send their next change
 * during the pause, which then shares the next sync instead of waiting for the one after it.
 */
export class GatherWindow {
  #endsMs = 0

  /** @param beganMs when the sync began that has just ended */
  open(beganMs: number): void {
    const nowMs = performance.now()
    this.#endsMs = nowMs + Math.min((nowMs - beganMs) * gatherTimeShare, maxGatherMs)
  }

  async wait(): Promise<void> {
    const waitMs = this.#endsMs - performance.now()
    if (waitMs >= 1) await delay(waitMs)
  }
}
