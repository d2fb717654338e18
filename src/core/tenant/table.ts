import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    tenant: TenantTable
    tenant_logo: TenantLogoTable
  }
}

/** The logo of a tenant as a file, for pages of one theme. */
export interface TenantLogoTable {
  tenant_id: TenantColumn
  /** light, dark */
  theme: string
  type: string
  width: number | null
  height: number | null
  /** The digest of the content. */
  sha256: string
  content: Uint8Array
  updated_at: string
}

export interface TenantTable {
  id: string
  /** The id case-folded: unique without regard to case. */
  id_key: string
  name: string
  subdomain: string | null
  plan: string | null
  /** The encrypted address of the tenant's own database; `null` if its rows are in the catalogue's database. */
  connection_string: Uint8Array | null
  is_active: boolean
  created_at: string
  version: number
  /** The end of a pause for a move of the tenant. Until then no delivery is sent for it. */
  paused_until: string | null
  /** The moment at which the erasure of the tenant began. It cannot be undone. */
  erasing_since: string | null
  /** For an erasure: the number of rows of each table when writes of the tenant were stopped, as JSON. */
  erased_rows: string | null
}
