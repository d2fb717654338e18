/**
 * Leases and retries go by the clocks of the instances, which therefore have to agree. Each is compared with the one
 * that they share, PostgreSQL's.
 */
import type { Shared } from '../../core/context.ts'
import type { Metric } from '../../core/metric.ts'
import type { Database } from '../../database/executor.ts'
import { serverTime } from '../../database/postgres/server.ts'

const mostDifferenceMs = 5000

/** Once, at the start. */
export async function warnOfClock({ catalogueDatabase, clock, log }: Shared): Promise<void> {
  try {
    const aheadMs = await aheadOf(catalogueDatabase, clock)
    if (aheadMs === null || Math.abs(aheadMs) <= mostDifferenceMs) return
    log.warn({ aheadMs }, 'the clock of this instance is not that of PostgreSQL')
  } catch (error) {
    log.warn({ err: error }, 'clock not compared')
  }
}

export function clockMetric(database: Database, clock: () => Date): Metric {
  return {
    name: 'webhook_clock_difference_seconds',
    help: 'How far the clock of this instance is ahead of that of PostgreSQL, or behind, at least.',
    kind: 'gauge',
    read: async () => {
      const aheadMs = await aheadOf(database, clock)
      return aheadMs === null ? [] : [{ value: aheadMs / 1000 }]
    },
  }
}

/** As little as it can be: the answer was given between two looks at our clock. `null` on SQLite. */
async function aheadOf(database: Database, clock: () => Date): Promise<number | null> {
  const askedMs = clock().getTime()
  const time = await serverTime(database.executor)
  if (time === null) return null
  const answeredMs = clock().getTime()
  const theirsMs = time.getTime()
  if (theirsMs < askedMs) return askedMs - theirsMs
  return Math.min(0, answeredMs - theirsMs)
}
