import type { Sample } from './metric.ts'

/** Counts by labels, in this process since its start. */
export class Counter<L extends string> {
  readonly #labels: readonly L[]
  readonly #counts = new Map<string, { labels: Record<L, string>; value: number }>()

  constructor(labels: readonly L[]) {
    this.#labels = labels
  }

  /** @param labels of few values each: every combination is a series */
  count(labels: Record<L, string>): void {
    let key = ''
    for (const name of this.#labels) key += `/${labels[name]}`
    const known = this.#counts.get(key)
    if (known === undefined) this.#counts.set(key, { labels, value: 1 })
    else known.value++
  }

  samples(): Sample[] {
    return [...this.#counts.values()]
  }
}
