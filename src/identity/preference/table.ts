import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    preference: PreferenceTable
  }
}

/** A value that a client keeps for its user. */
export interface PreferenceTable {
  tenant_id: TenantColumn
  account_id: string
  name: string
  /** JSON. */
  value: string
  version: number
  updated_at: string
}
