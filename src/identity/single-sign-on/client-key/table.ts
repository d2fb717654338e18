import type { TenantColumn } from '../../../database/scope.ts'

declare module '../../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    provider_client_key: ProviderClientKeyTable
  }
}

/** A key with which the service authenticates at the provider of a tenant. */
export interface ProviderClientKeyTable {
  tenant_id: TenantColumn
  /** The thumbprint of the public key. */
  id: string
  /** JWK as JSON. */
  public_key: string
  /** JWK as JSON, encrypted. */
  private_key: Uint8Array
  is_signing: boolean
  created_at: string
}
