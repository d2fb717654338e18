/** Imports the tenant's rows into the target database, before the tenant is registered. */
import type { DedicatedDatabase } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { excludedColumns, requireSameColumns } from '../move/plan.ts'
import { compareTables } from '../rows/compare.ts'
import { readCopyPosition, removeCopyPosition, writeCopyPosition } from '../rows/move-state.ts'
import { type TableShape, tenantTables } from '../rows/shape.ts'
import { occupiedTables, removeRows } from '../rows/target.ts'
import { copyState } from '../rows/transfer.ts'
import type { OpenedArchive } from './open.ts'

export interface RowImport {
  archive: OpenedArchive
  target: DedicatedDatabase
  /** Tables of the tenant's rows. */
  shapes: readonly TableShape[]
}

/**
 * Removes rows of an earlier import.
 * @param replace also removes rows of the tenant that no import has written
 * @throws ServiceError `conflict` for such rows, unless they are to be replaced
 */
export async function prepareTarget({ archive, target, shapes }: RowImport, replace: boolean): Promise<void> {
  const { tenant, id } = archive.manifest
  const { database } = target
  requireSameColumns(shapes, await tenantTables(database.executor), target.name)
  if (!replace && (await readCopyPosition(database.executor, tenant.id, id)) === null) {
    const occupied = await occupiedTables(database, shapes, tenant.id)
    if (occupied.length > 0) {
      const text = `${target.name} already has rows of the tenant (${occupied.join(', ')}).`
      throw new ServiceError('conflict', `${text} --replace replaces them.`)
    }
  }
  await removeImportedRows(target, tenant.id, shapes)
}

/** Copies and compares the rows. The copy position marks the import as unfinished. @throws CopyDiffers */
export async function importRows({ archive, target, shapes }: RowImport): Promise<void> {
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

/** Removes the rows, and then the copy position, which marks the import as unfinished. */
export async function removeImportedRows(
  { database }: DedicatedDatabase,
  tenant: string,
  shapes: readonly TableShape[],
): Promise<void> {
  await removeRows(database, { tenant, shapes, only: new Map() })
}

/** Removes the mark of the unfinished import: from now on the rows belong to the tenant. */
export async function finishImport({ database }: DedicatedDatabase, tenant: string): Promise<void> {
  await database.transaction((transaction) => removeCopyPosition(transaction, tenant))
}

export async function isImportUnfinished(
  { database }: DedicatedDatabase,
  tenant: string,
  archive: string,
): Promise<boolean> {
  return (await readCopyPosition(database.executor, tenant, archive)) !== null
}
