/** Removes what is old: once an hour in the shared database, once a day in those of tenants. */
import { Turns } from '../database/batches.ts'
import type { Database } from '../database/executor.ts'
import type { Job } from './feature/feature.ts'
import { dailyInOwnDatabases } from './tenant/daily.ts'

const dayMs = 24 * 60 * 60 * 1000

export interface RetentionSweep {
  database: Database
  /** Everything from before this moment. */
  before: Date
  /** The database is a tenant's own. */
  isOwn: boolean
  /** Of a stop of the service. */
  signal: AbortSignal
}

/** @param what is removed, in the plural @param days how long it is kept */
export function retentionJob(
  what: string,
  days: number,
  remove: (removal: RetentionSweep) => Promise<void>,
): Job {
  const doneAt = new Map<string, number>()
  return {
    name: `retention of ${what}`,
    everyMs: 60 * 60 * 1000,
    run: async (context, signal) => {
      const { clock, catalogueDatabase } = context.shared
      const before = new Date(clock().getTime() - days * dayMs)
      await remove({ database: catalogueDatabase, before, isOwn: false, signal })
      const work = (database: Database) => remove({ database, before, isOwn: true, signal })
      await dailyInOwnDatabases(context, doneAt, { what: `removing old ${what}`, work, signal })
    },
  }
}

/** @param next the id of the tenant behind this one that has rows, `null` behind the last */
export async function eachTenant(
  next: (after: string) => Promise<string | null>,
  work: (tenantId: string) => Promise<void>,
): Promise<void> {
  const turns = new Turns()
  for (let id = await next(''); id !== null; id = await next(id)) {
    await work(id)
    await turns.give()
  }
}
