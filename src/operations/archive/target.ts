/** The tenant's rows in their place, before anybody knows of the tenant. */
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
  /** Of the tenant's own rows. */
  shapes: readonly TableShape[]
}

/** @param replace rows of the tenant that are there, and are not of this archive @throws ServiceError `conflict` */
export async function makeRoom({ archive, target, shapes }: Placing, replace: boolean): Promise<void> {
  const { tenant, id } = archive.manifest
  const { database } = target
  requireAlike(shapes, await tenantTables(database.executor), target.name)
  if (!replace && (await readCopyPosition(database.executor, tenant.id, id)) === null) {
    const occupied = await occupiedTables(database, shapes, tenant.id)
    if (occupied.length > 0) {
      const text = `There are rows of the tenant in ${target.name} already (${occupied.join(', ')}).`
      throw new ServiceError('conflict', `${text} They are replaced with --replace.`)
    }
  }
  await clear(target, tenant.id, shapes)
}

/** Leaves a mark, by which what was begun is known. @throws CopyDiffers */
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

/** Nothing of it is left; the mark goes last. */
export async function clear(
  { database }: DedicatedDatabase,
  tenant: string,
  shapes: readonly TableShape[],
): Promise<void> {
  await removeRows(database, { tenant, shapes, only: new Map() })
}

/** Behind the end: the rows are the tenant's. */
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
