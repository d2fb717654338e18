/**
 * Removes rows that are older than a number of days: hourly in the shared database, daily in tenants' own databases.
 */
import type { AgedRows } from '../database/aged-rows.ts'
import { inBatches } from '../database/batches.ts'
import { TenantData } from '../database/data.ts'
import type { Database, Transaction } from '../database/executor.ts'
import { TimeSlice } from '../database/time-slice.ts'
import type { Shared } from './context.ts'
import type { IntervalJob } from './feature/job.ts'
import { firstIdAt } from './id.ts'
import { dailyWork } from './tenant/daily-work.ts'

const dayMs = 24 * 60 * 60 * 1000
/**
 * The maximum time between two pauses of the walk through all tenants, in milliseconds. Without pauses it would
 * block the thread on SQLite, where each statement runs at once.
 */
const maxSliceMs = 3

export interface RetentionSweep {
  database: Database
  /** Rows older than this are removed. */
  before: Date
  /** Whether the database is a tenant's own. */
  isOwn: boolean
  /** Aborted when the service stops. */
  signal: AbortSignal
}

/** @param what the name of the rows, in the plural @param days how long the rows are kept */
export function retentionJob(
  what: string,
  days: number,
  remove: (removal: RetentionSweep) => Promise<void>,
): IntervalJob {
  const before = ({ clock }: Shared) => new Date(clock().getTime() - days * dayMs)
  const inOwnDatabases = dailyWork({
    what: `removing old ${what}`,
    every: ({ hasOwnDatabase }) => (hasOwnDatabase ? 'day' : null),
    work: ({ shared, database, signal }) => remove({ database, before: before(shared), isOwn: true, signal }),
  })
  return {
    name: `retention of ${what}`,
    everyMs: 60 * 60 * 1000,
    run: async (context, signal) => {
      const { shared } = context
      await remove({ database: shared.catalogueDatabase, before: before(shared), isOwn: false, signal })
      await inOwnDatabases(context, signal)
    },
  }
}

/** Runs the work for each tenant that has rows. */
export async function eachTenant(
  rows: AgedRows,
  database: Database,
  work: (tenantId: string) => Promise<void>,
): Promise<void> {
  const slice = new TimeSlice(maxSliceMs)
  const next = (after: string) => rows.tenantAfter(database.executor, after)
  for (let id = await next(''); id !== null; id = await next(id)) {
    await work(id)
    await slice.pause()
  }
}

/** Rows that are removed by their age. */
export interface OldRows {
  rows: AgedRows
  /** Removes the rows with these ids, except rows that are still needed. */
  remove(data: TenantData, ids: readonly string[]): Promise<void>
}

/** Removes rows of every tenant in batches, in the order of their ids. @param before the moment of creation */
export function removeOldRows(
  database: Database,
  { rows, remove }: OldRows,
  before: Date,
  signal?: AbortSignal,
): Promise<void> {
  const beforeId = firstIdAt(before)
  return eachTenant(rows, database, async (tenantId) => {
    let after = firstIdAt(new Date(0))
    const next = async (count: number): Promise<string[] | null> => {
      const ids = await rows.idsAfter(database.executor, tenantId, { after, beforeId, rows: count })
      return ids.length === 0 ? null : ids
    }
    const work = async (transaction: Transaction, ids: string[]): Promise<void> => {
      await remove(new TenantData(tenantId, transaction), ids)
      after = ids.at(-1) ?? after
    }
    await inBatches(database, { next, work }, signal)
  })
}
