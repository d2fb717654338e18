/** What `GET /api/home` tells. */
export interface HomeData {
  /** The last days in UTC, such as `2026-01-31`, today last. */
  days: readonly string[]
  entities: readonly EntityFigures[]
  /** Entities whose rows took too long to count. */
  leftOut: readonly string[]
  needsYou: readonly { kind: string; count: number; isCapped: boolean }[]
  recent: readonly { entity: string; id: string; title: string; action: string; at: string }[]
  steps: readonly { kind: string; isDone: boolean; isOfHost: boolean }[]
}

export interface EntityFigures {
  entity: string
  count: number
  isCapped: boolean
  /** New rows of each day; `null` where counting takes too long. */
  created: readonly number[] | null
  /** Their sum, less that of the days before. */
  change: number | null
  /** That of the definition, a decimal number. */
  figure: string | null
}
