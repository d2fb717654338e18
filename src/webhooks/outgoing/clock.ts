/** Compares the clock of this instance with that of PostgreSQL: leases and retries need clocks that agree. */
import type { Shared } from '../../core/context.ts'
import type { Metric } from '../../core/metric.ts'
import type { Database } from '../../database/executor.ts'
import { serverTime } from '../../database/postgres/server.ts'

const maxDifferenceMs = 5000

/** Warns if the clock of the service differs from that of the database. To be called at the start. */
export async function warnOfClock({ catalogueDatabase, clock, log }: Shared): Promise<void> {
  try {
    const aheadMs = await aheadOf(catalogueDatabase, clock)
    if (aheadMs === null || Math.abs(aheadMs) <= maxDifferenceMs) return
    log.warn({ aheadMs }, 'the clock of this instance differs from that of PostgreSQL')
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

/**
 * The least milliseconds by which the clock of this instance is ahead, negative when behind. PostgreSQL read its
 * clock between two readings of this instance: if it lies between them, the difference is 0.
 * @returns `null` on SQLite
 */
export async function aheadOf(database: Database, clock: () => Date): Promise<number | null> {
  const beforeMs = clock().getTime()
  const time = await serverTime(database.executor)
  if (time === null) return null
  const afterMs = clock().getTime()
  const serverMs = time.getTime()
  if (serverMs < beforeMs) return beforeMs - serverMs
  return Math.min(0, afterMs - serverMs)
}
