import type { Job } from '../../core/feature/feature.ts'
import { inBatches } from '../../database/batches.ts'
import { CatalogueData } from '../../database/data.ts'
import type { Database, Transaction } from '../../database/executor.ts'
import { deleteRefreshTokens, deleteSessions, sessionsExpiredBefore } from './sql.ts'

/** Kept this long beyond their end: an address that signed in before is trusted a little more. */
const keptMs = 30 * 24 * 60 * 60 * 1000

export const forgetOldSessions: Job = {
  name: 'forget old sessions',
  everyMs: 60 * 60 * 1000,
  run: ({ shared }, signal) => {
    const before = new Date(shared.clock().getTime() - keptMs)
    return removeSessions(shared.catalogueDatabase, before, signal)
  },
}

/** @param before what expired earlier goes: first the refresh tokens, of which a session has hundreds */
export async function removeSessions(database: Database, before: Date, signal?: AbortSignal): Promise<void> {
  const moment = before.toISOString()
  const next = async (rows: number) => {
    const ids = await sessionsExpiredBefore(new CatalogueData(database.executor), moment, rows)
    return ids.length === 0 ? null : { ids, rows }
  }
  const work = async (transaction: Transaction, { ids, rows }: { ids: string[]; rows: number }) => {
    const catalogue = new CatalogueData(transaction)
    const tokens = await deleteRefreshTokens(catalogue, ids, rows)
    if (tokens < rows) await deleteSessions(catalogue, ids, moment)
  }
  await inBatches(database, { next, work }, signal)
}
