/**
 * The health of a subscription, and the rules by which its owner is warned or the
 * subscription is deactivated. Pure.
 */
export interface Health {
  successCount: number
  failureCount: number
  lastSuccessAt: string | null
  lastFailureAt: string | null
  /** The first failure since the last success. */
  failingSince: string | null
  /** The number of days (UTC) with a failure since the last success. */
  failingDays: number
  warnedAt: string | null
}

export interface AttemptOutcome {
  hasSucceeded: boolean
  /** The end of the attempt, in ISO 8601. */
  at: string
}

export type HealthAction = 'warn' | 'deactivate' | null

const dayMs = 24 * 60 * 60 * 1000
const warnAfterDays = 3
const deactivateAfterDays = 5

/** One success ends a period of failure, and the warning about it. */
export function healthAfter(health: Health, { hasSucceeded, at }: AttemptOutcome): Health {
  if (hasSucceeded) {
    return {
      ...health,
      successCount: health.successCount + 1,
      lastSuccessAt: at,
      failingSince: null,
      failingDays: 0,
      warnedAt: null,
    }
  }
  const isNewDay = health.failingSince === null || dayOf(health.lastFailureAt ?? '') < dayOf(at)
  return {
    ...health,
    failureCount: health.failureCount + 1,
    lastFailureAt: at,
    failingSince: health.failingSince ?? at,
    failingDays: health.failingDays + (isNewDay ? 1 : 0),
  }
}

/** Requires failures on several days: one bad night, or one failure before days without events, is not enough. */
export function healthAction(health: Health, now: string): HealthAction {
  if (health.failingSince === null) return null
  const failedForDays = (Date.parse(now) - Date.parse(health.failingSince)) / dayMs
  const hasFailed = (days: number): boolean => failedForDays >= days && health.failingDays >= days
  if (hasFailed(deactivateAfterDays)) return 'deactivate'
  return hasFailed(warnAfterDays) && health.warnedAt === null ? 'warn' : null
}

function dayOf(moment: string): string {
  return moment.slice(0, 10)
}
