/** Removes files that no row names, contents without a file, and the rest of interrupted uploads. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../core/context.ts'
import { tenantContext } from '../core/create-context.ts'
import { ServiceError } from '../core/errors.ts'
import type { IntervalJob } from '../core/feature/job.ts'
import { dailyWork } from '../core/tenant/daily-work.ts'
import { inTransaction } from '../core/transaction.ts'
import { removeContent, removeRow } from './file.ts'
import { findFileForUpdate, markUnused, orphanedBefore, unusedBefore } from './sql.ts'

const hourMs = 60 * 60 * 1000
/** An upload takes less than this once its content was received. Older rests are removed. */
const orphanedMs = hourMs
const batchSize = 100

/** The sweep runs every hour in the shared database, and every day in tenants' own databases. */
export function fileSweep(): IntervalJob {
  const inTenants = dailyWork({
    what: 'sweep of files',
    every: ({ hasOwnDatabase }) => (hasOwnDatabase ? 'day' : 'run'),
    work: ({ shared, tenant, database, signal }) =>
      sweepTenant(tenantContext(shared, tenant, database), signal),
  })
  return {
    name: 'sweep of files',
    everyMs: hourMs,
    run: async (context, signal) => {
      await removeBrokenUploads(context)
      await inTenants(context, signal)
    },
  }
}

async function sweepTenant(context: Context, signal: AbortSignal): Promise<void> {
  const { clock, files } = context.shared
  const before = (ageMs: number) => new Date(clock().getTime() - ageMs).toISOString()
  await removeAllUnused(context, before(files.unusedMs), signal)
  await removeOrphaned(context, before(orphanedMs), signal)
}

async function removeAllUnused(context: Context, before: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const ids = await unusedBefore(context.data, before, batchSize)
    for (const id of ids) await removeUnused(context, id, before)
    if (ids.length < batchSize) return
  }
}

async function removeOrphaned(context: Context, before: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const ids = await orphanedBefore(context.data, before, batchSize)
    let removed = 0
    for (const id of ids) if (await removeContent(context, id)) removed++
    if (ids.length < batchSize || removed < ids.length) return
  }
}

/** Removes a file unless a row names it. One row may have released the file while another still names it. */
async function removeUnused(context: Context, id: string, before: string): Promise<void> {
  let unusedSince: string | null = null
  try {
    await inTransaction(context, async (inside) => {
      const file = await findFileForUpdate(inside.data, id)
      if (file === null || file.unused_since === null || file.unused_since >= before) return
      unusedSince = file.unused_since
      await removeRow(inside, file)
    })
  } catch (error) {
    if (!(error instanceof ServiceError && error.kind === 'invalid')) throw error
    await inTransaction(context, async (inside) => {
      const file = await findFileForUpdate(inside.data, id)
      // If the time has changed, another row has released the file meanwhile, and a later sweep tries again.
      if (file?.unused_since === unusedSince) await markUnused(inside.data, id, null)
    })
    return
  }
  if (unusedSince !== null) await removeContent(context, id)
}

/** Removes old files of uploads whose process has ended. */
async function removeBrokenUploads({ shared }: Context): Promise<void> {
  const { folder } = shared.files
  const nowMs = shared.clock().getTime()
  const names = await readdir(folder).catch(() => []) // the folder is created by the first upload
  for (const name of names) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null) // the upload may have just ended
    if (found !== null && nowMs - found.mtimeMs > orphanedMs) await rm(path, { force: true })
  }
}
