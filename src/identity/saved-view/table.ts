import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    saved_view: SavedViewTable
  }
}

export interface SavedViewTable {
  id: string
  tenant_id: TenantColumn
  /** Its owner. */
  account_id: string
  name: string
  entity: string
  /** JSON: query, columns, group, layout and density. */
  content: string
  /** nobody, everybody, roles */
  shared_with: string
  /** JSON: names of roles. */
  roles: string
  default_for: string
  version: number
  created_at: string
  updated_at: string
}
