/** A page of tenants with everything that the catalogue knows of them, in one statement. */
import type { InstallationData } from '../../database/data.ts'
import { prepareForInstallation } from '../../database/prepared.ts'

export interface OverviewRow {
  id: string
  id_key: string
  name: string
  subdomain: string | null
  plan: string | null
  is_active: boolean
  created_at: string
  connection_string: Uint8Array | null
  erasing_since: string | null
  /** The key of a move of the tenant that has begun; `null` if there is none. */
  moving: string | null
  users: number
}

const page = prepareForInstallation((tables, p: { after: string; limit: number }) =>
  tables
    .selectFrom('tenant')
    .leftJoin('tenant_move', 'tenant_move.tenant_key', 'tenant.id_key')
    .select(({ selectFrom, fn }) => [
      ...(['tenant.id', 'id_key', 'name', 'subdomain', 'plan', 'is_active', 'created_at'] as const),
      ...(['connection_string', 'erasing_since', 'tenant_move.tenant_key as moving'] as const),
      selectFrom('account')
        .whereRef('account.tenant_id', '=', 'tenant.id')
        .select(fn.countAll<number>().as('count'))
        .$asScalar()
        .as('users'),
    ])
    .where('id_key', '>', p.after)
    .orderBy('id_key')
    .limit(p.limit)
    .$narrowType<{ users: number }>(),
)

/** Tenants in the order of their keys, which are their case-folded ids. @param after the key before the page */
export function overviewPage(
  installation: InstallationData,
  after: string,
  limit: number,
): Promise<OverviewRow[]> {
  return installation.all(page, { after, limit })
}
