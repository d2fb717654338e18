/** From nothing to a copy that follows the source closely: resumable at any point. */

import { ServiceError } from '../../core/errors.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { deleteMove } from '../../tenancy/sql.ts'
import { installCapture } from '../rows/capture.ts'
import { compareTables } from '../rows/compare.ts'
import { isFenced, readCopyPosition, writeCopyPosition } from '../rows/move-state.ts'
import { makeReferencesDeferrable, occupiedTables, removeRows } from '../rows/target.ts'
import { copyRound, type Round } from '../rows/transfer.ts'
import { isShared, type Plan, rowsToRemove, tablesInBoth } from './plan.ts'

/** A round that finds no more than this is short enough to be done while writes are held. */
const fewChanges = 200
const shortMs = 150
/** After so many the source changes faster than it can be followed; the switch is tried all the same. */
const maxRounds = 30

/** Everything that is written from now on is noted, and refused once the fence is set. */
export async function beginCopy(plan: Plan): Promise<void> {
  const { source, target, shapes, tenant, row } = plan
  const place = await readCopyPosition(target.database.executor, tenant.id, row.id)
  if (place === null) await requireEmpty(plan)
  const open = new Set(isShared(row.source) ? tablesInBoth : [])
  const isFollowed = await installCapture(source.database, shapes, tenant.id, open)
  if (place !== null && isFollowed) return
  await makeReferencesDeferrable(target.database, shapes)
  await removeRows(target.database, { tenant: tenant.id, shapes, only: rowsToRemove(row.target, true) })
  await target.database.transaction((to) =>
    writeCopyPosition(to, tenant.id, row.id, { table: shapes[0]?.name ?? null, after: null }),
  )
}

/** What a tenant has left behind itself has a fence, and is not missed. */
async function requireEmpty(plan: Plan): Promise<void> {
  const { target, shapes, tenant, common, options, context, key } = plan
  if (options.replace === true || (await isFenced(target.database.executor, tenant.id))) return
  const others = shapes.filter(({ name }) => !common.has(name))
  const occupied = await occupiedTables(target.database, others, tenant.id)
  if (occupied.length === 0) return
  await inCatalogue(context, (inside) => deleteMove(inside.catalogue, key)) // nothing has been done for it yet
  const text = `There are rows of the tenant in ${target.name} already (${occupied.join(', ')}). They are replaced with --replace.`
  throw new ServiceError('conflict', text)
}

/** Copies until all is there. */
export async function copyAll(plan: Plan): Promise<void> {
  while (!(await copyRound(plan.transfer)).isComplete);
}

/** @throws CopyDiffers */
export async function verify(plan: Plan): Promise<void> {
  const { target, shapes, tenant, common: shared, ignored } = plan
  await copyRound(plan.transfer, async (from) => {
    await compareTables(from, target.database.executor, shapes, { tenant: tenant.id, shared, ignored })
  })
}

/** Makes up for what has changed, until little changes in the time that it takes. */
export async function catchUp(plan: Plan): Promise<void> {
  for (let rounds = 0; rounds < maxRounds; rounds++) if (isClose(await copyRound(plan.transfer))) return
}

function isClose({ changed, tookMs }: Round): boolean {
  return changed <= fewChanges && tookMs <= shortMs
}
