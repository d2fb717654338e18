import type { CatalogueData } from '../../database/data.ts'

/** The sessions in which administrators of the host act as users of the tenant, in the order of their ids. */
export async function liveImpersonations(
  catalogue: CatalogueData,
  tenantId: string,
  moment: string,
): Promise<string[]> {
  const rows = await catalogue.kysely
    .selectFrom('session')
    .select('id')
    .where('account_id', 'in', (from) =>
      from.selectFrom('account').select('id').where('tenant_id', '=', tenantId),
    )
    .where('impersonator_id', 'is not', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', moment)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
