/** Row types of identity providers, and of their users and sessions. */
import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    identity_provider: IdentityProviderTable
    proven_domain: ProvenDomainTable
    provider_identity: ProviderIdentityTable
    provider_session: ProviderSessionTable
  }
}

/** The identity provider of a tenant. */
export interface IdentityProviderTable {
  tenant_id: TenantColumn
  issuer: string
  client_id: string
  /** The encrypted secret. */
  client_secret: Uint8Array
  /** JSON object: `ProviderOptions`. */
  options: string
  is_enabled: boolean
  /** Whether passwords are refused. */
  is_required: boolean
  /** The user who may sign in with a password nevertheless. */
  break_glass_account_id: string | null
  created_at: string
  version: number
}

/** A domain of a tenant, proven by a record of its name servers. */
export interface ProvenDomainTable {
  tenant_id: TenantColumn
  /** The name of the domain in lower case. */
  domain: string
  /** The text that the record must have. */
  proof: string
  /** `null` until the record was found. */
  verified_at: string | null
  created_at: string
}

/** The session of the provider with which a session of the service began. */
export interface ProviderSessionTable {
  session_id: string
  tenant_id: TenantColumn
  issuer: string
  subject: string
  /** The `sid` of the ID token; `null` without one. */
  provider_sid: string | null
  /** Encrypted; an empty text if it was too long. */
  id_token: Uint8Array
}

/** The link between a user of the provider and a user of the service. */
export interface ProviderIdentityTable {
  tenant_id: TenantColumn
  issuer: string
  subject: string
  account_id: string
  created_at: string
  last_used_at: string
}
