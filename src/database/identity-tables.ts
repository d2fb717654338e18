/** Row types of invitations, sign-ups, one-time tokens and identity providers. */

/** An invitation that nobody has accepted. */
export interface InvitationTable {
  id: string
  tenant_id: string
  email: string
  /** The address folded. */
  email_key: string
  /** Names joined by a space. */
  roles: string
  invited_by: string
  invited_by_name: string
  created_at: string
  expires_at: string
}

/** A token that is used once: of an invitation, a reset, a sign-in that is not complete yet. */
export interface OneTimeTokenTable {
  /** SHA-256 of the token, in hex. The token is not stored. */
  hash: string
  purpose: string
  tenant_id: string
  account_id: string | null
  /** JSON object. */
  data: string
  /** How often what it protects, such as a code, was wrong. */
  failures: number
  created_at: string
  expires_at: string
}

/** Where the users of a tenant sign in. */
export interface IdentityProviderTable {
  tenant_id: string
  issuer: string
  client_id: string
  /** Encrypted. */
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
  tenant_id: string
  /** In lower case. */
  domain: string
  /** What the record has to be. */
  proof: string
  /** `null` until the record was found. */
  verified_at: string | null
  created_at: string
}

/** The session at the provider with which a session here began. */
export interface ProviderSessionTable {
  session_id: string
  tenant_id: string
  issuer: string
  subject: string
  /** The `sid` of the ID token; `null` without one. */
  provider_sid: string | null
  /** Encrypted; an empty text if it was too long. */
  id_token: Uint8Array
}

/** The user at the provider that is a user here. */
export interface ProviderIdentityTable {
  tenant_id: string
  issuer: string
  subject: string
  account_id: string
  created_at: string
  last_used_at: string
}
