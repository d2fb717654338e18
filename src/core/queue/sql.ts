import type { InstallationData } from '../../database/data.ts'
import { prepareForInstallation } from '../../database/prepared.ts'

/** The statements on the table `pending_tenant`: see `pending-tenants.ts`. */

export interface PendingTenant {
  tenantId: string
  touchedAt: string
}

const touched = prepareForInstallation((tables, p: PendingTenant) =>
  tables
    .insertInto('pending_tenant')
    .values({ tenant_id: p.tenantId, touched_at: p.touchedAt })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ touched_at: p.touchedAt })),
)

export async function upsertPendingTenant(installation: InstallationData, row: PendingTenant): Promise<void> {
  await installation.change(touched, row)
}

const all = prepareForInstallation((tables) =>
  tables
    .selectFrom('pending_tenant')
    .select(['tenant_id as tenantId', 'touched_at as touchedAt'])
    .orderBy('tenant_id'),
)

export function allPendingTenants(installation: InstallationData): Promise<PendingTenant[]> {
  return installation.all(all, {})
}

const removed = prepareForInstallation((tables, p: { tenantId: string; touchedBefore: string }) =>
  tables
    .deleteFrom('pending_tenant')
    .where('tenant_id', '=', p.tenantId)
    .where('touched_at', '<', p.touchedBefore),
)

/** Deletes the row, unless it was written again in the meantime. */
export async function deletePendingTenant(
  installation: InstallationData,
  tenantId: string,
  touchedBefore: string,
): Promise<void> {
  await installation.change(removed, { tenantId, touchedBefore })
}
