import type { Selectable } from 'kysely'
import type { AuditTable } from '../../database/catalogue-tables.ts'
import type { InstallationData, TenantData } from '../../database/data.ts'

export type AuditRow = Selectable<AuditTable>

export interface AuditFilter {
  action?: string
  actorId?: string
  subjectId?: string
}

export async function insertAudit(catalogue: InstallationData, row: AuditRow): Promise<void> {
  await catalogue.kysely.insertInto('audit').values(row).execute()
}

export async function insertTenantAudit(data: TenantData, row: Omit<AuditRow, 'tenant_id'>): Promise<void> {
  await data.kysely.insertInto('tenant_audit').values(row).execute()
}

/** Transfers the records about a tenant to another tenant, without names, addresses and details. */
export async function transferAudit(
  catalogue: InstallationData,
  tenantId: string,
  to: string,
): Promise<void> {
  await catalogue.kysely
    .updateTable('audit')
    .set({ tenant_id: to, actor_name: null, impersonator_name: null, client_address: null, detail: '{}' })
    .where('tenant_id', '=', tenantId)
    .where('subject_type', '=', 'tenant')
    .execute()
}

/** Like `auditPage`, for the records among the tenant's rows. */
export function tenantAuditPage(
  data: TenantData,
  filter: AuditFilter,
  before: string | null,
  limit: number,
): Promise<Omit<AuditRow, 'tenant_id'>[]> {
  let query = data.kysely.selectFrom('tenant_audit').selectAll()
  if (before !== null) query = query.where('id', '<', before)
  if (filter.action !== undefined) query = query.where('action', '=', filter.action)
  if (filter.actorId !== undefined) query = query.where('actor_id', '=', filter.actorId.toLowerCase())
  if (filter.subjectId !== undefined) query = query.where('subject_id', '=', filter.subjectId)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

/**
 * Newest first.
 * @param tenantId `null` for the records of all tenants
 * @param before the id after which the page begins, or `null` for the newest records
 */
export function auditPage(
  catalogue: InstallationData,
  tenantId: string | null,
  filter: AuditFilter,
  before: string | null,
  limit: number,
): Promise<AuditRow[]> {
  let query = catalogue.kysely.selectFrom('audit').selectAll()
  if (tenantId !== null) query = query.where('tenant_id', '=', tenantId)
  if (before !== null) query = query.where('id', '<', before)
  if (filter.action !== undefined) query = query.where('action', '=', filter.action)
  if (filter.actorId !== undefined) query = query.where('actor_id', '=', filter.actorId.toLowerCase())
  if (filter.subjectId !== undefined) query = query.where('subject_id', '=', filter.subjectId)
  return query.orderBy('id', 'desc').limit(limit).execute()
}
