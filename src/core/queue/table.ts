import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    pending_tenant: PendingTenantTable
  }
}

/** A tenant whose own database may have pending deliveries. */
export interface PendingTenantTable {
  tenant_id: TenantColumn
  touched_at: string
}
