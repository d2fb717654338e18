/** A figure of a feature, for whatever collects figures. */
export interface Metric {
  /** As Prometheus names them: words in snake case, the unit at the end. */
  name: string
  help: string
  /** A counter only grows while the process lives. */
  kind: 'counter' | 'gauge'
  labels?: readonly string[]
  /** Asked at each collection. When it fails the figure is left out. */
  read(): readonly Sample[] | Promise<readonly Sample[]>
}

export interface Sample {
  labels?: Readonly<Record<string, string>>
  value: number
}
