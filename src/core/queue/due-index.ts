/**
 * When each key of a queue is due, as far as this instance knows. The index saves a search of the database for every
 * event. The statement that claims has the last word; a walk over the keys finds what other instances have left.
 */
export class DueIndex {
  /** Due moments in milliseconds of Unix time, in the order of service: a key that was served goes to the end. */
  readonly #keys = new Map<string, number>()
  /** Keys noted since the present walk began: what is known of them is newer than what the walk finds. */
  readonly #notedDuringWalk = new Set<string>()

  get size(): number {
    return this.#keys.size
  }

  /** Something waits under the key from that moment on. An earlier moment that is known already stays. */
  note(key: string, dueMs: number): void {
    this.#notedDuringWalk.add(key)
    const known = this.#keys.get(key)
    if (known === undefined || dueMs < known) this.#keys.set(key, dueMs)
  }

  /** Replaces what is known of the key. @param dueMs `null` when nothing waits there */
  replace(key: string, dueMs: number | null): void {
    this.#keys.delete(key)
    if (dueMs !== null) this.#keys.set(key, dueMs)
  }

  /** @param walk finds every key with its due moment */
  async refresh(walk: () => Promise<ReadonlyMap<string, number>>): Promise<void> {
    this.#notedDuringWalk.clear()
    const found = await walk()
    for (const key of this.#keys.keys())
      if (!found.has(key) && !this.#notedDuringWalk.has(key)) this.#keys.delete(key)
    for (const [key, dueMs] of found) {
      if (this.#notedDuringWalk.has(key)) this.note(key, dueMs)
      else this.#keys.set(key, dueMs)
    }
    this.#notedDuringWalk.clear()
  }

  /** In the order of service. */
  due(nowMs: number): string[] {
    return [...this.#keys].filter(([, dueMs]) => dueMs <= nowMs).map(([key]) => key)
  }

  /** The first key that is due and matches, in the order of service; `null` for none. Makes no list of them. */
  firstDue(nowMs: number, matches: (key: string) => boolean = () => true): string | null {
    for (const [key, dueMs] of this.#keys) if (dueMs <= nowMs && matches(key)) return key
    return null
  }

  /** The earliest moment, past or future, `null` when nothing waits. */
  oldest(): number | null {
    let oldest: number | null = null
    for (const dueMs of this.#keys.values()) if (oldest === null || dueMs < oldest) oldest = dueMs
    return oldest
  }

  /** The next moment at which a key falls due, `null` for none. Keys that are due already do not count. */
  nextAfter(nowMs: number): number | null {
    let next: number | null = null
    for (const dueMs of this.#keys.values())
      if (dueMs > nowMs && (next === null || dueMs < next)) next = dueMs
    return next
  }
}
