/** Row types of the audit. */
import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    audit: AuditTable
  }
}

declare module '../../database/tenant-tables.ts' {
  interface TenantTables {
    tenant_audit: TenantAuditTable
  }
}

export interface AuditTable {
  id: string
  tenant_id: TenantColumn
  actor_id: string | null
  actor_name: string | null
  /** The administrator who acted as the actor. */
  impersonator_id: string | null
  impersonator_name: string | null
  action: string
  subject_type: string
  subject_id: string | null
  /** JSON text. */
  detail: string
  client_address: string | null
  request_id: string
  created_at: string
}

/** The audit of changes to the rows of a tenant with its own database. */
export interface TenantAuditTable extends AuditTable {}
