/** A clock that goes with the real one until a test moves it ahead. */
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
