import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    portal_session: PortalSessionTable
  }
}

/** A session of the embedded pages of webhooks. In the catalogue: its token is looked up before its tenant is known. */
export interface PortalSessionTable {
  id: string
  tenant_id: TenantColumn
  /** SHA-256 of the token, in hex. The token is not stored. */
  digest: string
  customer: string | null
  /** JSON list of patterns; `null` for those of every user. */
  events: string | null
  is_read_only: boolean
  /** JSON list. */
  origins: string
  /** `session` or `apiKey`, and its id: the session ends with it. */
  maker_kind: string
  maker_id: string
  created_at: string
  expires_at: string
}
