import type { TimeAllowance } from '../executor.ts'

/** What a read may take of an operation. */
export interface ReadBudget {
  readonly time: TimeAllowance
  /** Told of what has been read, as it comes. @throws when it is too much */
  take(rows: number, bytes: number): void
}

/** For reads of the service itself. */
export const unlimited: ReadBudget = {
  time: { leftMs: Number.POSITIVE_INFINITY },
  take: () => undefined,
}
