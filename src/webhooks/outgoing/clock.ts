/**
 * Leases and retries go by the clocks of the instances, which have to agree. Each is compared with the clock that they
 * share, PostgreSQL's.
 */
import type { Shared } from '../../core/context.ts'
import type { Metric } from '../../core/metric.ts'
import type { Database } from '../../database/executor.ts'
import { serverTime } from '../../database/postgres/server.ts'

const maxDifferenceMs = 5000

/** Once, at the start. */
export async function warnOfClock({ catalogueDatabase, clock, log }: Shared): Promise<void> {
  try {
    const aheadMs = await aheadOf(catalogueDatabase, clock)
    if (aheadMs === null || Math.abs(aheadMs) <= maxDifferenceMs) return
    log.warn({ aheadMs }, 'the clock of this instance is not that of PostgreSQL')
  } catch (error) {
    log.warn({ err: error }, 'clock not compared')
  }
}

export function clockMetric(database: Database, clock: () => Date): Metric {
  return {
    name: 'webhook_clock_difference_seconds',
    help: 'The least difference of the clock of this instance from that of PostgreSQL; negative when behind.',
    kind: 'gauge',
    read: async () => {
      const aheadMs = await aheadOf(database, clock)
      return aheadMs === null ? [] : [{ value: aheadMs / 1000 }]
    },
  }
}

/** The least possible difference: the answer was given between two readings of our clock. `null` on SQLite. */
async function aheadOf(database: Database, clock: () => Date): Promise<number | null> {
  const askedMs = clock().getTime()
  const time = await serverTime(database.executor)
  if (time === null) return null
  const answeredMs = clock().getTime()
  const theirsMs = time.getTime()
  if (theirsMs < askedMs) return askedMs - theirsMs
  return Math.min(0, answeredMs - theirsMs)
}
