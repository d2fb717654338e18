/** Row types of second factors. */

/** The secret of an authenticator app. */
export interface TotpTable {
  account_id: string
  /** `begun` until a code of it was given. Meanwhile another one may be active. */
  state: 'begun' | 'active'
  tenant_id: string
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
  tenant_id: string
  created_at: string
}

/** Wrong codes of a user since the last right one. */
export interface WrongCodeTable {
  account_id: string
  tenant_id: string
  count: number
  last_at: string
}

/** A tenant that requires a second factor, as far as the catalogue knows: the setting is in the tenant's database. */
export interface FactorRequirementTable {
  tenant_id: string
  copied_at: string
}

/** A public key with which a user signs in. */
export interface PasskeyTable {
  id: string
  tenant_id: string
  account_id: string
  /** The authenticator's id of the key: base64url. */
  credential_id: string
  /** COSE (RFC 9052) in base64url. */
  public_key: string
  /** How often the authenticator has signed, if it counts; otherwise 0. */
  counter: number
  /** How the authenticator can be reached, joined by a space. */
  transports: string
  name: string
  created_at: string
  last_used_at: string | null
}
