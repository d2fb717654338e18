/**
 * Preconditions of changes, such as `If-Match`: a change is refused if the row has changed since the caller read it.
 */

/**
 * The key of a text that tells which members of a row the caller may see, if not every caller sees all of them. Replies
 * with different members need different entity tags.
 */
export const viewOf: unique symbol = Symbol('view')

/** The validators of a row: its version, which every change increments, and the time of its last change. */
export interface Versioned {
  version?: number
  /** ISO 8601. */
  updatedAt?: string
  [viewOf]?: string | undefined
}

/**
 * The condition of a change: a function that throws if the row does not meet it. It is called with `null` if the row
 * does not exist. The precondition itself is `null` for a request without a condition.
 */
export type Precondition = ((row: Versioned | null) => void) | null
