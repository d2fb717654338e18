/** Removes versions and deleted rows that have been kept long enough: daily, in every database. */
import { Type } from 'typebox'
import type { Context } from '../../core/context.ts'
import { tenantContext } from '../../core/create-context.ts'
import type { Feature } from '../../core/feature/feature.ts'
import type { IntervalJob } from '../../core/feature/job.ts'
import { dailyWork } from '../../core/tenant/daily-work.ts'
import { setting } from '../../core/tenant/settings/setting.ts'
import { inTransaction } from '../../core/transaction.ts'
import type { RowHistory } from './row-history.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const batchSize = 50

export const historyDays = setting(
  Type.Integer({
    minimum: 1,
    maximum: 3650,
    description: 'How long superseded versions of rows are kept, in days',
    examples: [90],
  }),
  { default: 90 },
)

/**
 * The job runs each hour, and removes the old versions of a tenant in its first run a day after the last removal there:
 * so a failed removal is repeated after an hour.
 * @returns no job if no entity keeps versions
 */
export function historySweeps(features: readonly Feature[]): IntervalJob[] {
  const trims = features.flatMap(({ trimHistory }) => trimHistory ?? [])
  if (trims.length === 0) return []
  const run = dailyWork({
    what: 'removing old versions',
    every: () => 'day',
    work: async ({ shared, tenant, database, signal }) => {
      const inTenant = tenantContext(shared, tenant, database)
      for (const trim of trims) await trim(inTenant, signal)
    },
  })
  return [{ name: 'retention of history', everyMs: hourMs, run }]
}

/** @returns the work that the daily job does for one entity in a tenant */
export function trimmer(history: RowHistory): (context: Context, signal: AbortSignal) => Promise<void> {
  const { statements, trashDays } = history
  return async (context, signal) => {
    const { clock, tenantSettings } = context.shared
    const settings = await tenantSettings.read(context)
    const before = (days: number) => new Date(clock().getTime() - days * dayMs).toISOString()
    const range = {
      before: before(Number(settings[tenantSettings.declared.nameOf(historyDays)])),
      limit: batchSize,
    }
    // Without a trash, the last versions of deleted rows are kept as long as the others.
    const ofTrash = trashDays === null ? null : { before: before(trashDays), limit: batchSize }
    const next = async () => {
      if (ofTrash === null) return statements.oldVersions(context.data, range)
      const trash = await statements.oldDeleted(context.data, ofTrash)
      return trash.length > 0 ? trash : statements.oldSuperseded(context.data, range)
    }
    for (let found = await next(); found.length > 0; found = await next()) {
      signal.throwIfAborted()
      // Versions of a row are removed up to one of them: the highest found includes the others.
      const upTo = new Map<string, number>()
      for (const { row_id: id, version } of found) upTo.set(id, Math.max(version, upTo.get(id) ?? 0))
      await inTransaction(context, async (inside) => {
        for (const [id, version] of upTo) await history.removeUpTo(inside, { row_id: id, version })
      })
    }
  }
}
