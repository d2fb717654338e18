import type { CatalogueData } from '../../database/data.ts'

export interface ErasureRow {
  /** `null` where none is under way. */
  since: string | null
  /** JSON; `null` before they were counted. */
  rows: string | null
}

/** @param key the tenant's folded id */
export async function findErasure(catalogue: CatalogueData, key: string): Promise<ErasureRow> {
  const row = await catalogue.kysely
    .selectFrom('tenant')
    .select(['erasing_since as since', 'erased_rows as rows'])
    .where('id_key', '=', key)
    .executeTakeFirst()
  return row ?? { since: null, rows: null }
}

export async function deleteTenantRow(catalogue: CatalogueData, key: string): Promise<void> {
  await catalogue.kysely.deleteFrom('tenant').where('id_key', '=', key).execute()
}
