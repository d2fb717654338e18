import type { Selectable } from 'kysely'
import type { InstallationData } from '../../database/data.ts'
import type { InstanceTable } from '../../database/operation-tables.ts'

export type InstanceRow = Selectable<InstanceTable>

export async function upsertInstance(catalogue: InstallationData, row: InstanceRow): Promise<void> {
  const { seen_at, clock_difference_ms, file_store } = row
  await catalogue.kysely
    .insertInto('instance')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at, clock_difference_ms, file_store }))
    .execute()
}

/** @param seenBefore ISO 8601; `null` for all others */
export async function deleteOtherInstances(
  catalogue: InstallationData,
  id: string,
  seenBefore: string | null,
): Promise<void> {
  const others = catalogue.kysely.deleteFrom('instance').where('id', '<>', id)
  await (seenBefore === null ? others : others.where('seen_at', '<', seenBefore)).execute()
}

/** @returns at most so many, the latest to start first */
export function allInstances(catalogue: InstallationData, limit: number): Promise<InstanceRow[]> {
  return catalogue.kysely.selectFrom('instance').selectAll().orderBy('id', 'desc').limit(limit).execute()
}
