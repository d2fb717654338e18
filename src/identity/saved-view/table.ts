import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    saved_view: SavedViewTable
  }
}

export interface SavedViewTable {
  id: string
  tenant_id: TenantColumn
  /** The owner of the view. */
  account_id: string
  name: string
  entity: string
  /** JSON: query, columns, group, layout and density. */
  content: string
  /** `nobody`, `everybody` or `roles`. */
  shared_with: string
  /** A JSON array of the names of roles whose users see the view, if it is shared with roles. */
  roles: string
  /** A JSON array of the names of roles whose users see this view first. */
  default_for: string
  version: number
  created_at: string
  updated_at: string
}
