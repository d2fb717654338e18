/** A clock that runs with the real one until a test advances it. */
export class TestClock {
  #aheadMs = 0

  readonly now = (): Date => new Date(Date.now() + this.#aheadMs)

  advance({
    days = 0,
    minutes = 0,
    seconds = 0,
  }: {
    days?: number
    minutes?: number
    seconds?: number
  }): void {
    this.#aheadMs += ((days * 24 * 60 + minutes) * 60 + seconds) * 1000
  }
}

/** A clock that stands still until a test advances it: every time in the service is exact. */
export class StillClock {
  #ms = Date.parse('2027-01-01T00:00:00.000Z')

  readonly now = (): Date => new Date(this.#ms)

  advance({ days = 0, seconds = 0, ms = 0 }: { days?: number; seconds?: number; ms?: number }): void {
    this.#ms += (days * 24 * 60 * 60 + seconds) * 1000 + ms
  }
}
