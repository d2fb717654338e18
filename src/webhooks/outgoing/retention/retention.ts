/** Removes old finished deliveries with their attempts, then events without deliveries. */

import type { IntervalJob } from '../../../core/feature/job.ts'
import { firstEventIdAt, firstIdAt } from '../../../core/id.ts'
import { eachTenant, retentionJob } from '../../../core/retention.ts'
import { inBatches } from '../../../database/batches.ts'
import { QueueData } from '../../../database/data.ts'
import type { Database, Transaction } from '../../../database/executor.ts'
import { analyzeTable } from '../../../database/postgres/analyze.ts'
import type { QueueStatistics } from '../metrics/statistics.ts'
import {
  agedDeliveries,
  agedEvents,
  deleteDeliveries,
  deleteEvents,
  finishedDeliveries,
  finishedEvents,
} from './sql.ts'

/** @param statistics counts dead deliveries in tenants' own databases, some of which only this job opens */
export function deliveryRetentionJob(days: number, statistics: QueueStatistics): IntervalJob {
  return retentionJob('deliveries', days, async ({ database, before, isOwn, signal }) => {
    await removeFinished(database, before, signal)
    if (isOwn) await inEachTenant(database, (id) => statistics.countTenant(id, database))
  })
}

/** @param before removes deliveries that were finished earlier */
export function removeFinished(database: Database, before: Date, signal?: AbortSignal): Promise<void> {
  // PostgreSQL checks the foreign key for each removed event. If its statistics are those of a small table, each
  // check reads all deliveries of the tenant.
  let isAnalyzed = database.dialect === 'sqlite'
  const analyzeOnce = async (): Promise<void> => {
    if (isAnalyzed) return
    isAnalyzed = true
    await analyzeTable(database.executor, 'delivery')
  }
  return inEachTenant(database, async (id) => {
    await removeDeliveriesOf(database, id, { before, signal, analyzeOnce })
    await removeEventsOf(database, id, before, signal)
  })
}

interface Removal {
  before: Date
  signal: AbortSignal | undefined
  /** Runs before the first rows are removed. */
  analyzeOnce: () => Promise<void>
}

function inEachTenant(database: Database, work: (tenantId: string) => Promise<void>): Promise<void> {
  return eachTenant(agedEvents, database, work)
}

/** A batch is a range of ids: rows that stay are read only once. */
async function removeDeliveriesOf(
  database: Database,
  tenantId: string,
  { before, signal, analyzeOnce }: Removal,
): Promise<void> {
  const beforeId = firstIdAt(before)
  let after = firstIdAt(new Date(0))
  const next = async (rows: number): Promise<string | null> => {
    const ids = await agedDeliveries.idsAfter(database.executor, tenantId, { after, beforeId, rows })
    if (ids.length > 0) await analyzeOnce()
    return ids.at(-1) ?? null
  }
  const work = async (transaction: Transaction, upTo: string): Promise<void> => {
    const inside = new QueueData(transaction)
    const ids = await finishedDeliveries(inside, { tenantId, after, upTo, before: before.toISOString() })
    if (ids.length > 0) await deleteDeliveries(inside, tenantId, ids)
    after = upTo
  }
  await inBatches(database, { next, work }, signal)
}

/** Events are selected and locked in the transaction that deletes them: a replay in between would lose its event. */
async function removeEventsOf(
  database: Database,
  tenantId: string,
  before: Date,
  signal: AbortSignal | undefined,
): Promise<void> {
  const beforeId = firstEventIdAt(before)
  let after = ''
  const next = async (rows: number): Promise<string | null> => {
    const ids = await agedEvents.idsAfter(database.executor, tenantId, { after, beforeId, rows })
    return ids.at(-1) ?? null
  }
  const work = async (transaction: Transaction, upTo: string): Promise<void> => {
    const inside = new QueueData(transaction)
    const ids = await finishedEvents(inside, { tenantId, after, upTo })
    if (ids.length > 0) await deleteEvents(inside, tenantId, ids)
    after = upTo
  }
  await inBatches(database, { next, work }, signal)
}
