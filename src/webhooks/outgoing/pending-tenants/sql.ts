import type { CatalogueData } from '../../../database/data.ts'

export async function upsertAttended(catalogue: CatalogueData, tenantId: string, now: string): Promise<void> {
  await catalogue.kysely
    .insertInto('pending_tenant')
    .values({ tenant_id: tenantId, touched_at: now })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ touched_at: now }))
    .execute()
}

export interface Attended {
  tenantId: string
  touchedAt: string
}

export function attendedTenants(catalogue: CatalogueData): Promise<Attended[]> {
  return catalogue.kysely
    .selectFrom('pending_tenant')
    .select(['tenant_id as tenantId', 'touched_at as touchedAt'])
    .orderBy('tenant_id')
    .execute()
}

/** Unless it was touched in the meantime. */
export async function deleteAttended(
  catalogue: CatalogueData,
  tenantId: string,
  touchedBefore: string,
): Promise<void> {
  await catalogue.kysely
    .deleteFrom('pending_tenant')
    .where('tenant_id', '=', tenantId)
    .where('touched_at', '<', touchedBefore)
    .execute()
}
