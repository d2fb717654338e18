import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    one_time_token: OneTimeTokenTable
  }
}

/** A token that is used once, such as that of an invitation, a password reset or an incomplete sign-in. */
export interface OneTimeTokenTable {
  /** SHA-256 of the token, in hex. The token is not stored. */
  hash: string
  purpose: string
  tenant_id: TenantColumn
  account_id: string | null
  /** A JSON object, whose shape depends on the purpose. */
  data: string
  /** The number of wrong codes that were entered with the token. */
  failures: number
  created_at: string
  expires_at: string
}
