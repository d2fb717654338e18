/** Removes what is finished and old: deliveries with their attempts, then the events that nothing refers to. */
import { QueueData, TenantData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import type { Job } from '../../feature.ts'
import { firstEventIdAt, firstIdAt } from '../../id.ts'
import { eachTenant, removedAtOnce, retentionJob } from '../../retention.ts'
import type { QueueFigures } from '../metrics/figures.ts'
import { deleteDeliveries, deleteEvents, finishedDeliveries, finishedEvents, tenantAfter } from './sql.ts'

/** @param figures told of what is dead in databases that nobody opens otherwise */
export function deliveryRetentionJob(days: number, figures: QueueFigures): Job {
  return retentionJob('deliveries', days, async ({ database, before, isOwn }) => {
    await removeFinished(database, before)
    if (isOwn) {
      await inEachTenant(database, (id) => figures.look(new TenantData(id, database.executor)))
    }
  })
}

/** @param before what was finished earlier goes */
export function removeFinished(database: Database, before: Date): Promise<void> {
  return inEachTenant(database, async (id) => {
    await removeDeliveriesOf(database, id, before)
    await removeEventsOf(database, id, before)
  })
}

function inEachTenant(database: Database, work: (tenantId: string) => Promise<void>): Promise<void> {
  const queue = new QueueData(database.executor)
  return eachTenant((after) => tenantAfter(queue, after), work)
}

async function removeDeliveriesOf(database: Database, tenantId: string, before: Date): Promise<void> {
  const queue = new QueueData(database.executor)
  const old = { tenantId, beforeId: firstIdAt(before), before: before.toISOString(), limit: removedAtOnce }
  for (let after = firstIdAt(new Date(0)); ; ) {
    const ids = await finishedDeliveries(queue, { ...old, after })
    const last = ids.at(-1)
    if (last === undefined) return
    await database.transaction((transaction) => deleteDeliveries(new QueueData(transaction), tenantId, ids))
    after = last
  }
}

/** Chosen and locked where they are deleted: a replay in between would be left without its event. */
async function removeEventsOf(database: Database, tenantId: string, before: Date): Promise<void> {
  const old = { tenantId, beforeId: firstEventIdAt(before), limit: removedAtOnce }
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after
    after = await database.transaction(async (transaction) => {
      const queue = new QueueData(transaction)
      const ids = await finishedEvents(queue, { ...old, after: from })
      if (ids.length > 0) await deleteEvents(queue, tenantId, ids)
      return ids.at(-1)
    })
  }
}
