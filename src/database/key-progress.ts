import { DatabaseDamaged } from './executor.ts'

/**
 * Detects that a reader, which continues after the last key it has read, is in a cycle. In a damaged file keys may be
 * out of order, so that the reader would meet the same keys again without end. One key is kept, the first after 1, 2, 4,
 * 8, … steps (R. P. Brent, An improved Monte Carlo factorization algorithm, 1980): a cycle is detected within a few
 * rounds.
 */
export class KeyProgress {
  #kept: string | null = null
  #span = 1
  #steps = 0

  /** @param key the key after which the reader continues @throws DatabaseDamaged when it has been met before */
  advance(key: string): void {
    if (key === this.#kept) throw new DatabaseDamaged('The keys of a table are out of order.')
    if (++this.#steps < this.#span) return
    this.#kept = key
    this.#span *= 2
    this.#steps = 0
  }
}
