import type { TimeAllowance } from '../executor.ts'

/** The rows, bytes and time that a read may use. */
export interface ReadBudget {
  readonly time: TimeAllowance
  /** Counts rows and bytes as they are read. @throws when they exceed the budget */
  take(rows: number, bytes: number): void
}

/** For reads of the service itself. */
export const unlimited: ReadBudget = {
  time: { leftMs: Number.POSITIVE_INFINITY },
  take: () => undefined,
}
