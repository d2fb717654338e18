import type { DueAt } from './key-scan.ts'

/**
 * Knows when each key of a queue, such as a tenant, has due work, so that the database need not be searched for every
 * event. The index is a guess: the claiming statement decides, and a scan finds work that other instances have left.
 */
export class DueIndex {
  /** Due moments in Unix milliseconds, in the order of service: a key that was served goes to the end. */
  readonly #keys = new Map<string, number>()
  /** Moments that were noted since the present scan or claim began, which may not have seen that work. */
  readonly #noted = new Map<string, number>()

  get size(): number {
    return this.#keys.size
  }

  /** Records that work under the key is due from the moment on. An earlier known moment stays. */
  note(key: string, dueMs: number): void {
    setEarlier(this.#noted, key, dueMs)
    setEarlier(this.#keys, key, dueMs)
  }

  /** Sets the moment of the key. @param dueMs `null` when nothing is pending under it */
  replace(key: string, dueMs: number | null): void {
    this.#keys.delete(key)
    if (dueMs !== null) this.#keys.set(key, dueMs)
  }

  /** @param scan finds every key with its due moment */
  async refresh(scan: () => Promise<ReadonlyMap<string, number>>): Promise<void> {
    this.#noted.clear()
    const found = await scan()
    for (const key of this.#keys.keys()) if (!found.has(key) && !this.#noted.has(key)) this.#keys.delete(key)
    for (const [key, dueMs] of found) {
      if (this.#noted.has(key)) setEarlier(this.#keys, key, dueMs)
      else this.#keys.set(key, dueMs)
    }
  }

  /**
   * Updates the index by a claim. Work that was noted while the claim ran stays due, because the claim may have read
   * the key before that work was committed.
   * @param claim finds when each key that it served is due next
   */
  async serve<Claimed extends { nextDue: readonly DueAt[] }>(
    claim: () => Promise<Claimed>,
  ): Promise<Claimed> {
    this.#noted.clear()
    const claimed = await claim()
    for (const { key, dueAt } of claimed.nextDue) {
      this.replace(key, dueAt === null ? null : Date.parse(dueAt))
      const notedMs = this.#noted.get(key)
      if (notedMs !== undefined) setEarlier(this.#keys, key, notedMs)
    }
    return claimed
  }

  /** @returns the keys in the order of service */
  due(nowMs: number): string[] {
    return [...this.#keys].filter(([, dueMs]) => dueMs <= nowMs).map(([key]) => key)
  }

  /** @returns the first key in the order of service that is due and matches; `null` for none */
  firstDue(nowMs: number, matches: (key: string) => boolean = () => true): string | null {
    for (const [key, dueMs] of this.#keys) if (dueMs <= nowMs && matches(key)) return key
    return null
  }

  /** @returns the earliest due moment, past or future; `null` when nothing is pending */
  oldest(): number | null {
    let oldest: number | null = null
    for (const dueMs of this.#keys.values()) if (oldest === null || dueMs < oldest) oldest = dueMs
    return oldest
  }

  /** @returns the next moment at which a key becomes due; `null` for none. Keys that are due already do not count. */
  nextAfter(nowMs: number): number | null {
    let next: number | null = null
    for (const dueMs of this.#keys.values())
      if (dueMs > nowMs && (next === null || dueMs < next)) next = dueMs
    return next
  }
}

function setEarlier(moments: Map<string, number>, key: string, dueMs: number): void {
  const known = moments.get(key)
  if (known === undefined || dueMs < known) moments.set(key, dueMs)
}
