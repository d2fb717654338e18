import type { InstallationData } from '../../database/data.ts'

export interface PendingTenant {
  tenantId: string
  touchedAt: string
}

export async function upsertPendingTenant(
  catalogue: InstallationData,
  tenantId: string,
  now: string,
): Promise<void> {
  await catalogue.kysely
    .insertInto('pending_tenant')
    .values({ tenant_id: tenantId, touched_at: now })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ touched_at: now }))
    .execute()
}

export function allPendingTenants(catalogue: InstallationData): Promise<PendingTenant[]> {
  return catalogue.kysely
    .selectFrom('pending_tenant')
    .select(['tenant_id as tenantId', 'touched_at as touchedAt'])
    .orderBy('tenant_id')
    .execute()
}

/** Leaves a row that was touched in the meantime. */
export async function deletePendingTenant(
  catalogue: InstallationData,
  tenantId: string,
  touchedBefore: string,
): Promise<void> {
  await catalogue.kysely
    .deleteFrom('pending_tenant')
    .where('tenant_id', '=', tenantId)
    .where('touched_at', '<', touchedBefore)
    .execute()
}
