/** Numbers that are drawn alike in every run. */
export class Random {
  #state: number

  /** @param seed any whole number */
  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** At least 0 and less than 1 (xorshift32 on a Weyl sequence). */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0
    let x = this.#state
    x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
    return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32
  }

  /** Whole, from 0 on and less than `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  /** The wait for an event that comes at random. */
  exponential(mean: number): number {
    return -Math.log(1 - this.next()) * mean
  }
}
