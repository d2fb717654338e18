/** How long counts are kept at least: counting reads an index of all rows that are counted. */
const minCacheMs = 15_000
/** Counting takes at most this share of the time: slow counts are kept longer. */
const maxCountingShare = 0.01

/** Counts on request, and keeps the counts for a while. */
export class CachedCount<T> {
  readonly #clock: () => Date
  readonly #count: () => Promise<T>
  #cached: { staleAtMs: number; counts: Promise<T> } | null = null

  constructor(clock: () => Date, count: () => Promise<T>) {
    this.#clock = clock
    this.#count = count
  }

  /** @throws the errors of counting, after which it can be called again */
  read(): Promise<T> {
    const atMs = this.#clock().getTime()
    if (this.#cached !== null && atMs < this.#cached.staleAtMs) return this.#cached.counts
    const beganMs = performance.now()
    const counts = this.#count()
    const cached = { staleAtMs: Number.POSITIVE_INFINITY, counts }
    this.#cached = cached
    counts.then(
      () => {
        cached.staleAtMs = atMs + Math.max(minCacheMs, (performance.now() - beganMs) / maxCountingShare)
      },
      () => {
        if (this.#cached === cached) this.#cached = null
      },
    )
    return counts
  }
}
