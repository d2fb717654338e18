import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    role: RoleTable
  }
}

/** A role that a tenant has made. */
export interface RoleTable {
  tenant_id: TenantColumn
  /** The name case-folded. */
  name_key: string
  name: string
  description: string | null
  /** JSON array of names. */
  permissions: string
  created_at: string
  updated_at: string
  version: number
}
