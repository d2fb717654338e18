/** What a row is known by: the version that every change moves, and when it was last changed. */
export interface Versioned {
  version?: number
  /** ISO 8601. */
  updatedAt?: string
}

/**
 * A condition that a change has to meet: it throws for a row that does not. `null` as the row: there is none yet; `null`
 * as the condition: none was set.
 */
export type Precondition = ((row: Versioned | null) => void) | null
