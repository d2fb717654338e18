import type { Job } from '../feature.ts'
import { inCatalogue } from '../transaction.ts'
import { deleteSessionsExpiredBefore } from './sql.ts'

/** Kept this long beyond their end: an address that signed in before is trusted a little more. */
const keptMs = 30 * 24 * 60 * 60 * 1000

export const forgetOldSessions: Job = {
  name: 'forget old sessions',
  everyMs: 60 * 60 * 1000,
  run: (context) =>
    inCatalogue(context, async (inside) => {
      const before = new Date(context.shared.clock().getTime() - keptMs).toISOString()
      await deleteSessionsExpiredBefore(inside.catalogue, before)
    }),
}
