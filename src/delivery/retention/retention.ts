/** Removes what is finished and old: deliveries with their attempts, then the events that nothing refers to. */
import { QueueData, TenantData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import type { Job } from '../../feature.ts'
import { firstEventIdAt, firstIdAt } from '../../id.ts'
import { dailyInOwnDatabases } from '../../tenant/daily.ts'
import type { QueueFigures } from '../metrics/figures.ts'
import { deleteDeliveries, deleteEvents, finishedDeliveries, finishedEvents, tenantAfter } from './sql.ts'

const dayMs = 24 * 60 * 60 * 1000
/** Of one transaction, so that writers do not wait long. */
const batch = 500

/** @param figures told of what is dead in databases that nobody opens otherwise */
export function retentionJob(days: number, figures: QueueFigures): Job {
  const cleanedAt = new Map<string, number>()
  return {
    name: 'retention of deliveries',
    everyMs: 60 * 60 * 1000,
    run: async (context) => {
      const before = new Date(context.shared.clock().getTime() - days * dayMs)
      await removeFinished(context.shared.catalogueDatabase, before)
      const work = async (database: Database) => {
        await removeFinished(database, before)
        await eachTenant(database, (id) => figures.look(new TenantData(id, database.executor)))
      }
      await dailyInOwnDatabases(context, cleanedAt, { what: 'removing old deliveries', work })
    },
  }
}

/** @param before what was finished earlier goes */
export async function removeFinished(database: Database, before: Date): Promise<void> {
  await eachTenant(database, async (id) => {
    await removeDeliveriesOf(database, id, before)
    await removeEventsOf(database, id, before)
  })
}

async function eachTenant(database: Database, work: (id: string) => Promise<void>): Promise<void> {
  const queue = new QueueData(database.executor)
  for (let id = await tenantAfter(queue, ''); id !== null; id = await tenantAfter(queue, id)) await work(id)
}

async function removeDeliveriesOf(database: Database, tenantId: string, before: Date): Promise<void> {
  const queue = new QueueData(database.executor)
  const old = { tenantId, beforeId: firstIdAt(before), before: before.toISOString(), limit: batch }
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
  const old = { tenantId, beforeId: firstEventIdAt(before), limit: batch }
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
