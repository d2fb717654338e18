/** Row types of second factors. */
import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    totp: TotpTable
    recovery_code: RecoveryCodeTable
    wrong_code: WrongCodeTable
    factor_requirement: FactorRequirementTable
  }
}

/** The secret of an authenticator app. */
export interface TotpTable {
  account_id: string
  /** `begun` until a code of the app confirms the secret. Meanwhile another secret may be active. */
  state: 'begun' | 'active'
  tenant_id: TenantColumn
  /** Encrypted: base32. */
  secret: Uint8Array
  /** The step of the last code that was used. Codes of it and of earlier steps are refused. */
  last_step: number
  created_at: string
}

/** A recovery code that was not used. */
export interface RecoveryCodeTable {
  account_id: string
  /** SHA-256 of user and code, in hex. The code is not stored. */
  hash: string
  tenant_id: TenantColumn
  created_at: string
}

/** Wrong codes of a user since the last right one. */
export interface WrongCodeTable {
  account_id: string
  tenant_id: TenantColumn
  count: number
  last_at: string
}

/** A tenant that requires a second factor, as far as the catalogue knows: the setting is in the tenant's database. */
export interface FactorRequirementTable {
  tenant_id: TenantColumn
  copied_at: string
}
