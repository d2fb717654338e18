/** Copies the tenant's rows into the target, before the tenant is registered. */
import type { DedicatedDatabase } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { excludedColumns, requireAlike } from '../move/plan.ts'
import { compareTables } from '../rows/compare.ts'
import { readCopyPosition, removeCopyPosition, writeCopyPosition } from '../rows/move-state.ts'
import { type TableShape, tenantTables } from '../rows/shape.ts'
import { occupiedTables, removeRows } from '../rows/target.ts'
import { copyState } from '../rows/transfer.ts'
import type { OpenedArchive } from './open.ts'

export interface Placing {
  archive: OpenedArchive
  target: DedicatedDatabase
  /** Tables of the tenant's rows. */
  shapes: readonly TableShape[]
}

/** @param replace removes rows of the tenant that are not of this archive @throws ServiceError `conflict` */
export async function makeRoom({ archive, target, shapes }: Placing, replace: boolean): Promise<void> {
  const { tenant, id } = archive.manifest
  const { database } = target
  requireAlike(shapes, await tenantTables(database.executor), target.name)
  if (!replace && (await readCopyPosition(database.executor, tenant.id, id)) === null) {
    const occupied = await occupiedTables(database, shapes, tenant.id)
    if (occupied.length > 0) {
      const text = `${target.name} already has rows of the tenant (${occupied.join(', ')}).`
      throw new ServiceError('conflict', `${text} --replace replaces them.`)
    }
  }
  await clear(target, tenant.id, shapes)
}

/** Leaves a mark of the unfinished import. @throws CopyDiffers */
export async function placeRows({ archive, target, shapes }: Placing): Promise<void> {
  const { tenant, id } = archive.manifest
  const { database } = target
  const excluded = await excludedColumns(archive.copy, database)
  await database.transaction((to) =>
    writeCopyPosition(to, tenant.id, id, { table: shapes[0]?.name ?? null, after: null }),
  )
  await archive.copy.snapshot(async (from) => {
    await copyState({ id, tenant: tenant.id, target: database, shapes, excluded }, from)
    const comparison = { tenant: tenant.id, shared: new Set<string>(), ignored: excluded }
    await compareTables(from, database.executor, shapes, comparison)
  })
}

/** Removes the rows, and last the mark. */
export async function clear(
  { database }: DedicatedDatabase,
  tenant: string,
  shapes: readonly TableShape[],
): Promise<void> {
  await removeRows(database, { tenant, shapes, only: new Map() })
}

/** Ends the import: the rows are the tenant's from now on. */
export async function removeMark({ database }: DedicatedDatabase, tenant: string): Promise<void> {
  await database.transaction((transaction) => removeCopyPosition(transaction, tenant))
}

export async function hasMark(
  { database }: DedicatedDatabase,
  tenant: string,
  archive: string,
): Promise<boolean> {
  return (await readCopyPosition(database.executor, tenant, archive)) !== null
}
