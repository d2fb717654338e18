/** Removes what a tenant has from one place. */
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { rewrite } from '../../database/rewrite.ts'
import { syncToDisk } from '../backup/file.ts'
import { refuseNewRows, removeCapture } from '../rows/capture.ts'
import { isFenced, setFence } from '../rows/move-state.ts'
import { countRows } from '../rows/rows.ts'
import { deleteAll, forgetMove } from '../rows/target.ts'
import { type Place, sqliteFiles } from './targets.ts'

/** From then on no instance adds a row of the tenant here, not even one that has heard of nothing. */
export async function fence(tenant: string, { apart, shapes }: Place, now: string): Promise<void> {
  const { database } = apart
  await removeCapture(database, tenant)
  if (!(await isFenced(database.executor, tenant)))
    await database.transaction((transaction) => setFence(transaction, tenant, now))
  await refuseNewRows(database, shapes, tenant)
}

/** Takes back what `fence` has made, so that the id can be used anew. */
export async function unfence(tenant: string, place: Place): Promise<void> {
  await removeCapture(place.apart.database, tenant)
  await forgetMove(place.apart.database, tenant)
  await deleteRows(tenant, place) // of whoever was held up since before the beginning
}

/** @returns how many rows there are, by table; those without any are left out */
export async function countAll(tenant: string, places: readonly Place[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { apart, shapes } of places) {
    for (const shape of shapes) {
      const count = await countRows(apart.database.executor, shape, tenant)
      if (count > 0) counts[shape.name] = (counts[shape.name] ?? 0) + count
    }
  }
  return counts
}

/** @returns whether the place itself is gone: then it is closed as well */
export async function clear(tenant: string, place: Place): Promise<boolean> {
  const { database, name } = place.apart
  if (database.dialect === 'postgres' || !place.isAlone) {
    await deleteRows(tenant, place)
    return false
  }
  await database.close()
  for (const file of sqliteFiles(name)) rmSync(file, { force: true })
  await syncToDisk(dirname(name))
  return true
}

/** Of the catalogue, which hold something of a tenant and no `tenant_id`. */
const besides = ['tenant', 'refresh_token', 'rate_limit']

/** @returns what could not be done, as sentences @throws DatabaseUnavailable */
export async function rewriteFiles({ apart, shapes, isShared }: Place): Promise<string[]> {
  const tables = [...shapes.map(({ name }) => name), ...(isShared ? besides : [])]
  const left = await rewrite(apart.database, apart.name, tables)
  return left.length === 0 ? [] : [`Not vacuumed in ${apart.name}: ${left.join(', ')}.`]
}

function deleteRows(tenant: string, { apart, shapes }: Place): Promise<void> {
  return deleteAll(apart.database, { tenant, shapes, only: new Map() })
}
