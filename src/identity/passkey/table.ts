import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    passkey: PasskeyTable
  }
}

/** A public key with which a user signs in. */
export interface PasskeyTable {
  id: string
  tenant_id: TenantColumn
  account_id: string
  /** The authenticator's id of the key: base64url. */
  credential_id: string
  /** The public key: COSE (RFC 9052) in base64url. */
  public_key: string
  /** How often the authenticator has signed, if it counts; otherwise 0. */
  counter: number
  /** How the authenticator can be reached, joined by a space. */
  transports: string
  name: string
  created_at: string
  last_used_at: string | null
}
