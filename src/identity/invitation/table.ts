import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    invitation: InvitationTable
  }
}

/** An invitation that nobody has accepted. */
export interface InvitationTable {
  id: string
  tenant_id: TenantColumn
  email: string
  /** The address case-folded. */
  email_key: string
  /** Names joined by a space. */
  roles: string
  /** JSON object of the attributes that the user gets; `null` without any. */
  attributes: string | null
  invited_by: string
  invited_by_name: string
  created_at: string
  expires_at: string
}
