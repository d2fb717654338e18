import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    portal_session: PortalSessionTable
  }
}

/** A session of the embedded pages of webhooks. It is stored in the catalogue: its token has to name the tenant. */
export interface PortalSessionTable {
  id: string
  tenant_id: TenantColumn
  /** SHA-256 of the token, in hex. The token is not stored. */
  digest: string
  customer: string | null
  /** JSON list of patterns; `null` for those of every user. */
  events: string | null
  is_read_only: boolean
  /** JSON list of the origins whose pages may embed the session. */
  origins: string
  /** What made the session, and with which it ends: `session` (a login session) or `apiKey`, with its id. */
  maker_kind: string
  maker_id: string
  created_at: string
  expires_at: string
}
