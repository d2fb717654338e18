/** Copies the tenant until the copy closely follows the source. Resumable at any point. */

import { ServiceError } from '../../core/errors.ts'
import { registry } from '../../core/tenant/directory.ts'
import { inCatalogue } from '../../core/transaction.ts'
import type { Database } from '../../database/executor.ts'
import { deleteMove } from '../../tenancy/sql.ts'
import { installCapture } from '../rows/capture.ts'
import { compareTables } from '../rows/compare.ts'
import { isFenced, readCopyPosition, writeCopyPosition } from '../rows/move-state.ts'
import { makeReferencesDeferrable, occupiedTables, removeRows } from '../rows/target.ts'
import { copyRound, type Round } from '../rows/transfer.ts'
import { countTenantRows } from '../tenant-size/measure.ts'
import { isShared, type Plan, type RowProgress, rowsOfCopy, tablesInBoth } from './plan.ts'

/** A round with at most this many changes is short enough to run while writes are held. */
const fewChanges = 200
const shortMs = 150
/** After this many rounds the source changes faster than the copy can follow. The switch is attempted nevertheless. */
const maxRounds = 30

/** Installs triggers that log every write to the source, and that refuse writes once the switch sets the fence. */
export async function beginCopy(plan: Plan): Promise<void> {
  const { source, target, shapes, tenant, row } = plan
  const position = await readCopyPosition(target.database.executor, tenant.id, row.id)
  if (position === null) await requireEmpty(plan)
  const open = new Set(isShared(row.source) ? tablesInBoth : [])
  const isFollowed = await installCapture(source.database, shapes, tenant.id, open)
  if (position !== null && isFollowed) return
  await makeReferencesDeferrable(target.database, shapes)
  await removeRows(target.database, { tenant: tenant.id, shapes, only: rowsOfCopy(row.target) })
  await target.database.transaction((to) =>
    writeCopyPosition(to, tenant.id, row.id, { table: shapes[0]?.name ?? null, after: null }),
  )
}

/** Refuses a target with rows of the tenant. Fenced rows are left over from an earlier move, and may be replaced. */
async function requireEmpty(plan: Plan): Promise<void> {
  const { target, shapes, tenant, common, options, context, key } = plan
  if (options.replace === true || (await isFenced(target.database.executor, tenant.id))) return
  const others = shapes.filter(({ name }) => !common.has(name))
  const occupied = await occupiedTables(target.database, others, tenant.id)
  if (occupied.length === 0) return
  await inCatalogue(context, (inside) => deleteMove(registry(inside), key)) // the move has changed nothing else yet
  const text = `${target.name} already has rows of the tenant (${occupied.join(', ')}). --replace replaces them.`
  throw new ServiceError('conflict', text)
}

/** Copies rounds until every row is copied. */
export async function copyAll(plan: Plan): Promise<void> {
  const { options, transfer } = plan
  const progress = options.copied === undefined ? null : await countRows(plan)
  const copied = (rows: number): void => {
    if (progress !== null) progress.copied = Math.min(progress.copied + rows, progress.total)
  }
  for (let isComplete = false; !isComplete; ) {
    if (progress !== null) await options.copied?.({ ...progress })
    isComplete = (await copyRound({ ...transfer, copied })).isComplete
  }
  if (progress !== null) await options.copied?.({ ...progress, copied: progress.total })
}

/** A move that is continued has rows in the target. @returns `null` when there are too many to count */
async function countRows({ source, target, shapes, tenant }: Plan): Promise<RowProgress | null> {
  const count = (database: Database) => countTenantRows(database, shapes, tenant.id)
  const [total, copied] = [await count(source.database), await count(target.database)]
  return total === null || copied === null ? null : { total, copied: Math.min(copied, total) }
}

/** @throws CopyDiffers */
export async function verify(plan: Plan): Promise<void> {
  const { target, shapes, tenant, common: shared, ignored } = plan
  await copyRound(plan.transfer, async (from) => {
    await compareTables(from, target.database.executor, shapes, { tenant: tenant.id, shared, ignored })
  })
}

/** Applies changes until few rows change during a round. */
export async function catchUp(plan: Plan): Promise<void> {
  for (let rounds = 0; rounds < maxRounds; rounds++) if (isClose(await copyRound(plan.transfer))) return
}

function isClose({ changed, tookMs }: Round): boolean {
  return changed <= fewChanges && tookMs <= shortMs
}
