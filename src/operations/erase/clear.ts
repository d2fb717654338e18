/** Removes a tenant from one database. */
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { rewrite } from '../../database/rewrite.ts'
import { syncToDisk } from '../backup/file.ts'
import { refuseNewRows, removeCapture } from '../rows/capture.ts'
import { isFenced, setFence } from '../rows/move-state.ts'
import { countRows } from '../rows/rows.ts'
import { deleteAll, removeMoveState } from '../rows/target.ts'
import { type ErasureTarget, sqliteFiles } from './targets.ts'

/** Makes the database refuse new rows of the tenant, also from an instance that has not learned of the erasure. */
export async function fence(
  tenant: string,
  { dedicated, shapes }: ErasureTarget,
  now: string,
): Promise<void> {
  const { database } = dedicated
  await removeCapture(database, tenant)
  if (!(await isFenced(database.executor, tenant)))
    await database.transaction((transaction) => setFence(transaction, tenant, now))
  await refuseNewRows(database, shapes, tenant)
}

/** Undoes `fence`, so that the id can be used again. */
export async function unfence(tenant: string, target: ErasureTarget): Promise<void> {
  await removeCapture(target.dedicated.database, tenant)
  await removeMoveState(target.dedicated.database, tenant)
  await deleteRows(tenant, target) // rows of transactions that began before the fence
}

/** @returns the number of rows by table, without empty tables */
export async function countAll(
  tenant: string,
  targets: readonly ErasureTarget[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { dedicated, shapes } of targets) {
    for (const shape of shapes) {
      const count = await countRows(dedicated.database.executor, shape, tenant)
      if (count > 0) counts[shape.name] = (counts[shape.name] ?? 0) + count
    }
  }
  return counts
}

/** @returns whether the whole database was closed and deleted */
export async function clear(tenant: string, target: ErasureTarget): Promise<boolean> {
  const { database, name } = target.dedicated
  if (database.dialect === 'postgres' || !target.isExclusive) {
    await deleteRows(tenant, target)
    return false
  }
  await database.close()
  for (const file of sqliteFiles(name)) rmSync(file, { force: true })
  await syncToDisk(dirname(name))
  return true
}

/** Tables of the catalogue that hold data of a tenant without a `tenant_id`. */
const catalogueTables = ['tenant', 'refresh_token', 'rate_limit']

/** @returns what could not be done, as sentences @throws DatabaseUnavailable */
export async function rewriteFiles({ dedicated, shapes, isShared }: ErasureTarget): Promise<string[]> {
  const tables = [...shapes.map(({ name }) => name), ...(isShared ? catalogueTables : [])]
  const notVacuumed = await rewrite(dedicated.database, dedicated.name, tables)
  return notVacuumed.length === 0 ? [] : [`Not vacuumed in ${dedicated.name}: ${notVacuumed.join(', ')}.`]
}

function deleteRows(tenant: string, { dedicated, shapes }: ErasureTarget): Promise<void> {
  return deleteAll(dedicated.database, { tenant, shapes, only: new Map() })
}
