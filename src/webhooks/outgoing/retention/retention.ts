/** Removes old finished deliveries with their attempts, then events without deliveries. */

import type { Job } from '../../../core/feature/feature.ts'
import { firstEventIdAt, firstIdAt } from '../../../core/id.ts'
import { eachTenant, retentionJob } from '../../../core/retention.ts'
import { inBatches } from '../../../database/batches.ts'
import { QueueData } from '../../../database/data.ts'
import type { Database, Transaction } from '../../../database/executor.ts'
import type { QueueFigures } from '../metrics/figures.ts'
import {
  deleteDeliveries,
  deleteEvents,
  finishedDeliveries,
  finishedEvents,
  lastDeliveryOf,
  lastEventOf,
  tenantAfter,
} from './sql.ts'

/** @param figures counts dead deliveries in databases that are not opened otherwise */
export function deliveryRetentionJob(days: number, figures: QueueFigures): Job {
  return retentionJob('deliveries', days, async ({ database, before, isOwn, signal }) => {
    await removeFinished(database, before, signal)
    if (isOwn) {
      await inEachTenant(database, (id) => figures.look(id, database))
    }
  })
}

/** @param before deliveries that were finished earlier are removed */
export function removeFinished(database: Database, before: Date, signal?: AbortSignal): Promise<void> {
  return inEachTenant(database, async (id) => {
    await removeDeliveriesOf(database, id, before, signal)
    await removeEventsOf(database, id, before, signal)
  })
}

function inEachTenant(database: Database, work: (tenantId: string) => Promise<void>): Promise<void> {
  const queue = new QueueData(database.executor)
  return eachTenant((after) => tenantAfter(queue, after), work)
}

/** A batch is a range of ids, so that rows that have to stay are read once. */
async function removeDeliveriesOf(
  database: Database,
  tenantId: string,
  before: Date,
  signal: AbortSignal | undefined,
): Promise<void> {
  const queue = new QueueData(database.executor)
  const beforeId = firstIdAt(before)
  let after = firstIdAt(new Date(0))
  const next = (rows: number) => lastDeliveryOf(queue, { tenantId, after, beforeId, rows })
  const work = async (transaction: Transaction, upTo: string): Promise<void> => {
    const inside = new QueueData(transaction)
    const ids = await finishedDeliveries(inside, { tenantId, after, upTo, before: before.toISOString() })
    if (ids.length > 0) await deleteDeliveries(inside, tenantId, ids)
    after = upTo
  }
  await inBatches(database, { next, work }, signal)
}

/** Chosen and locked where they are deleted: a replay in between would be left without its event. */
async function removeEventsOf(
  database: Database,
  tenantId: string,
  before: Date,
  signal: AbortSignal | undefined,
): Promise<void> {
  const queue = new QueueData(database.executor)
  const beforeId = firstEventIdAt(before)
  let after = ''
  const next = (rows: number) => lastEventOf(queue, { tenantId, after, beforeId, rows })
  const work = async (transaction: Transaction, upTo: string): Promise<void> => {
    const inside = new QueueData(transaction)
    const ids = await finishedEvents(inside, { tenantId, after, upTo })
    if (ids.length > 0) await deleteEvents(inside, tenantId, ids)
    after = upTo
  }
  await inBatches(database, { next, work }, signal)
}
