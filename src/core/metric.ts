/** How features declare metrics. */

/** A metric of a feature. */
export interface Metric {
  /** In the style of Prometheus: snake case with the unit at the end. */
  name: string
  help: string
  /** A counter never decreases while the process lives. */
  kind: 'counter' | 'gauge'
  labels?: readonly string[]
  /** Called at each collection. If it fails, the metric is omitted. */
  read(): readonly Sample[] | Promise<readonly Sample[]>
}

export interface Sample {
  labels?: Readonly<Record<string, string>>
  value: number
}

/** A metric of one number. */
export const gauge = numeric('gauge')
export const counter = numeric('counter')

function numeric(kind: Metric['kind']) {
  return (name: string, help: string, read: () => number): Metric => ({
    name,
    help,
    kind,
    read: () => [{ value: read() }],
  })
}

/** Counts by labels, since the start of the process. */
export class Counter<L extends string> {
  readonly #labels: readonly L[]
  readonly #counts = new Map<string, { labels: Record<L, string>; value: number }>()

  constructor(labels: readonly L[]) {
    this.#labels = labels
  }

  /** @param labels with few values each: every combination is a series */
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
