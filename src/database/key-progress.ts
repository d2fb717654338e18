import { DatabaseDamaged } from './executor.ts'

/**
 * Watches a reader that continues after the last key that it has read. In a damaged file keys may be out of order: the
 * reader would come by the same keys again, for ever. Keeps one key, the first after 1, 2, 4, 8, … steps (R. P. Brent, An
 * improved Monte Carlo factorization algorithm, 1980): a cycle is noticed within a few of its rounds.
 */
export class KeyProgress {
  #kept: string | null = null
  #span = 1
  #steps = 0

  /** @param key where the reader continues @throws DatabaseDamaged when it was there before */
  advance(key: string): void {
    if (key === this.#kept) throw new DatabaseDamaged('The keys of a table are out of order.')
    if (++this.#steps < this.#span) return
    this.#kept = key
    this.#span *= 2
    this.#steps = 0
  }
}
