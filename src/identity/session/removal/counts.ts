/** Removes counts of rate limits that have expired. */
import { inCatalogueBatches } from '../../../core/expiry.ts'
import type { IntervalJob } from '../../../core/feature/job.ts'
import { countsExpiredBefore, deleteExpiredCounts } from './sql.ts'

const hourMs = 60 * 60 * 1000

/** Clocks of instances may differ by less than this. */
const keptMs = hourMs

export const removeExpiredCounts: IntervalJob = {
  name: 'remove expired counts of rate limits',
  everyMs: hourMs,
  run: ({ shared }, signal) => {
    const beforeMs = shared.clock().getTime() - keptMs
    // There is no index by expiry, because each count changes it: the rows are read in the order of their keys.
    let after = ''
    return inCatalogueBatches(
      shared.catalogueDatabase,
      {
        find: (catalogue, limit) => countsExpiredBefore(catalogue, beforeMs, { after, limit }),
        work: async (catalogue, keys) => {
          await deleteExpiredCounts(catalogue, keys, beforeMs)
          after = keys.at(-1) ?? after
        },
      },
      signal,
    )
  },
}
