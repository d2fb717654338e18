/** How much one transaction runs of a receipt, and what it costs: each action may write the body again. */
import { chargeBytes } from '../../../core/limits/body-cost.ts'
import type { CostAccount } from '../../../core/limits/cost-limiter.ts'

export const mostRunsAtOnce = 10
/** Of the body, once for each action. */
export const mostBytesAtOnce = 256 * 1024

/** One at least, however large the body is. */
export function runsAtOnce(bodyBytes: number): number {
  return Math.max(1, Math.min(mostRunsAtOnce, Math.floor(mostBytesAtOnce / Math.max(1, bodyBytes))))
}

/**
 * A large body is paid for with each action, as if it had been sent as often; and so is each action beyond the first
 * piece.
 * @param open the account of who pays, asked for when something is to be paid; whatever it throws is thrown
 */
export function chargeRuns(runs: number, bodyBytes: number, open: () => CostAccount): void {
  const account = chargeBytes(bodyBytes, open, runs)
  const later = runs - runsAtOnce(bodyBytes)
  if (later > 0) (account ?? open()).spend(later)
}
