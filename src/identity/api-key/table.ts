import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    api_key: ApiKeyTable
  }
}

export interface ApiKeyTable {
  id: string
  tenant_id: TenantColumn
  name: string
  /** The beginning of the key, which is shown. */
  prefix: string
  /** SHA-256 of the key, in hex. The key is not stored. */
  digest: string
  /** JSON array of names. */
  permissions: string
  /** The id of the user for whom the key acts; `null` for a key of the tenant itself. */
  acts_for: string | null
  /** JSON object of the values by name; `null` without any. */
  attributes: string | null
  /** JSON array of CIDR networks; `null` for any address. */
  allowed_networks: string | null
  expires_at: string | null
  last_used_at: string | null
  created_at: string
}
