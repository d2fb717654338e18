declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    sign_up: SignUpTable
  }
}

/** A tenant and its first administrator, until they are created. */
export interface SignUpTable {
  id: string
  /** The subdomain that the tenant will have. It becomes the tenant's id as well. */
  subdomain: string | null
  tenant_name: string
  user_name: string
  email: string
  password_hash: string
  first_name: string
  last_name: string
  created_at: string
  /** When the address was verified. A verified sign-up waits for approval. */
  verified_at: string | null
  expires_at: string
}
