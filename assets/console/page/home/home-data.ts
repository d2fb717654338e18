/** The reply of `GET /api/home`. */
export interface HomeData {
  /** The last days in UTC, such as `2026-01-31`; today is the last one. */
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
  /** The number of new rows of each day; `null` if counting took too long. */
  created: readonly number[] | null
  /** The sum of `created`, minus the sum of as many days before. */
  change: number | null
  /** The figure that the definition names, as a decimal number. */
  figure: string | null
}
