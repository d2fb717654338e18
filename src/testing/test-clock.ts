/** A length of time, the sum of its members. */
export interface Duration {
  days?: number
  hours?: number
  minutes?: number
  seconds?: number
  ms?: number
}

/** The clock of a service under test. It runs like the real clock, and a test can move it. */
export class TestClock {
  #offsetMs = 0

  readonly now = (): Date => new Date(Date.now() + this.#offsetMs)

  advance({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }: Duration): void {
    this.#offsetMs += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms
  }

  /** @throws RangeError for an invalid date */
  set(moment: Date | string): void {
    const ms = new Date(moment).getTime()
    if (Number.isNaN(ms)) throw new RangeError(`${String(moment)} is no moment.`)
    this.#offsetMs = ms - Date.now()
  }
}
