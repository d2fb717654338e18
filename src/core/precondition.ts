/** The key of a text that names the members which a caller sees, where not every caller sees all. */
export const viewOf: unique symbol = Symbol('view')

/** The validators of a row: its version, which every change increments, and the time of its last change. */
export interface Versioned {
  version?: number
  /** ISO 8601. */
  updatedAt?: string
  [viewOf]?: string | undefined
}

/**
 * The condition of a change. It throws for a row that does not meet it; the row is `null` if it does not exist. A
 * request without a condition has `null`.
 */
export type Precondition = ((row: Versioned | null) => void) | null
