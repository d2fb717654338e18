import type { TenantColumn } from '../../../database/scope.ts'

declare module '../../../database/tenant-tables.ts' {
  interface TenantTables {
    tenant_setting: TenantSettingTable
  }
}

export interface TenantSettingTable {
  tenant_id: TenantColumn
  /** An object as JSON: the values that the tenant has set, by name. */
  content: string
  version: number
  updated_at: string
}
