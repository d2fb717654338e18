import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    one_time_token: OneTimeTokenTable
  }
}

/** A token that is used once: of an invitation, a reset, a sign-in that is not complete yet. */
export interface OneTimeTokenTable {
  /** SHA-256 of the token, in hex. The token is not stored. */
  hash: string
  purpose: string
  tenant_id: TenantColumn
  account_id: string | null
  /** JSON object. */
  data: string
  /** How often what it protects, such as a code, was wrong. */
  failures: number
  created_at: string
  expires_at: string
}
