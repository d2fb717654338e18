/** Row types of the catalogue, which exists once for the service. */

import type {
  FactorRequirementTable,
  PasskeyTable,
  RecoveryCodeTable,
  TotpTable,
  WrongCodeTable,
} from './factor-tables.ts'
import type {
  IdentityProviderTable,
  InvitationTable,
  OneTimeTokenTable,
  ProvenDomainTable,
  ProviderIdentityTable,
  ProviderSessionTable,
} from './identity-tables.ts'
import type { TenantColumn } from './scope.ts'

/**
 * The tables of the catalogue, which exists once for the installation. Features add theirs by declaration merging. A table
 * with a `TenantColumn` is one of tenants; with a column `account_id` besides, one of users.
 */
export interface CatalogueTables {
  api_key: ApiKeyTable
  one_time_token: OneTimeTokenTable
  invitation: InvitationTable
  totp: TotpTable
  recovery_code: RecoveryCodeTable
  wrong_code: WrongCodeTable
  factor_requirement: FactorRequirementTable
  passkey: PasskeyTable
  identity_provider: IdentityProviderTable
  proven_domain: ProvenDomainTable
  provider_identity: ProviderIdentityTable
  provider_session: ProviderSessionTable
  signing_key: SigningKeyTable
  rate_limit: RateLimitTable
}

/** Tables without a tenant column whose rows belong to a row of another table (see `belongsTo`), by its name. */
// biome-ignore lint/suspicious/noEmptyInterface: features add theirs
export interface ChildTables {}

interface OfTenant {
  tenant_id: TenantColumn
}

interface OfUser extends OfTenant {
  account_id: string | null
}

type TablesLike<Shape> = {
  [K in keyof CatalogueTables]: CatalogueTables[K] extends Shape
    ? K
    : K extends keyof ChildTables
      ? TableLike<ChildTables[K], Shape, K>
      : never
}[keyof CatalogueTables]

type TableLike<Parent, Shape, K> = Parent extends keyof CatalogueTables
  ? CatalogueTables[Parent] extends Shape
    ? K
    : never
  : never

/** The tables of a tenant in the catalogue. */
export type TenantCatalogueTables = Pick<CatalogueTables, TablesLike<OfTenant>>

/** The tables of a user. Only the scope writes whose a row is. */
export type UserTables = {
  [K in TablesLike<OfUser>]: CatalogueTables[K] extends OfUser
    ? Omit<CatalogueTables[K], 'account_id'> & { account_id: TenantColumn }
    : CatalogueTables[K]
}

/** All tables. */
export type InstallationTables = {
  [K in keyof CatalogueTables]: CatalogueTables[K] extends OfTenant
    ? Omit<CatalogueTables[K], 'tenant_id'> & { tenant_id: string }
    : CatalogueTables[K]
}

/** Counts of rate limits on PostgreSQL, by `rate-limiter-flexible` and by sliding windows. */
export interface RateLimitTable {
  /** The name of the policy, a colon, and the client. */
  key: string
  points: number
  /** Unix milliseconds. `rate-limiter-flexible` removes all rows an hour after this. */
  expire: number | null
  /** The hits of a sliding window by moment, as JSON. */
  hits: string | null
}

export interface ApiKeyTable {
  id: string
  tenant_id: string
  name: string
  /** The beginning of the key, which is shown. */
  prefix: string
  /** SHA-256 of the key, in hex. The key is not stored. */
  digest: string
  /** JSON array of names. */
  permissions: string
  /** JSON array of CIDR networks; `null` for any address. */
  allowed_networks: string | null
  expires_at: string | null
  last_used_at: string | null
  created_at: string
}

export interface SigningKeyTable {
  id: string
  algorithm: string
  public_key: string
  /** Encrypted. */
  private_key: Uint8Array
  created_at: string
  /**
   * When it stops signing, and the next key begins; `null` for the newest key. It verifies until the last token that it
   * signed has expired.
   */
  retired_at: string | null
}
