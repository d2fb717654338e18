/** Removes rows of the catalogue that have expired. */
import { inBatches } from '../database/batches.ts'
import type { InstallationData } from '../database/data.ts'
import type { Database, Executor, Transaction } from '../database/executor.ts'
import type { ExpiringRows } from '../database/expiring-rows.ts'
import type { IntervalJob } from './feature/job.ts'
import { installation } from './installation.ts'

const hourMs = 60 * 60 * 1000

export interface CatalogueBatches {
  /** @returns the keys of the next rows; `work` must remove these, so that they are not found again */
  find(catalogue: InstallationData, rows: number): Promise<string[]>
  work(catalogue: InstallationData, keys: readonly string[]): Promise<void>
}

/**
 * Works on rows of the catalogue in short transactions until none is found.
 * @param signal aborted when the service stops
 */
export function inCatalogueBatches(
  database: Database,
  { find, work }: CatalogueBatches,
  signal: AbortSignal,
): Promise<void> {
  const next = async (rows: number): Promise<string[] | null> => {
    const keys = await find(expired(database.executor), rows)
    return keys.length === 0 ? null : keys
  }
  const inside = (transaction: Transaction, keys: string[]) => work(expired(transaction), keys)
  return inBatches(database, { next, work: inside }, signal)
}

function expired(executor: Executor): InstallationData {
  return installation(executor, 'one job removes the old rows of all tenants')
}

interface ExpiryJob {
  /** The name of the rows in log lines, in the plural. */
  what: string
  /** How long rows are kept after their expiry, in milliseconds. */
  keptMs?: number
  rows: ExpiringRows
}

/** @returns a job that removes expired rows hourly */
export function expiryJob({ what, keptMs = 0, rows }: ExpiryJob): IntervalJob {
  return {
    name: `remove expired ${what}`,
    everyMs: hourMs,
    run: ({ shared }, signal) => {
      const before = new Date(shared.clock().getTime() - keptMs).toISOString()
      const batches: CatalogueBatches = {
        find: (catalogue, limit) => rows.expiredBefore(catalogue, before, limit),
        work: (catalogue, keys) => rows.remove(catalogue, keys),
      }
      return inCatalogueBatches(shared.catalogueDatabase, batches, signal)
    },
  }
}
