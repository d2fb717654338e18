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
  ProviderClientKeyTable,
  ProviderIdentityTable,
  ProviderSessionTable,
  SignUpTable,
} from './identity-tables.ts'
import type { JobScheduleTable, OwedJobTable } from './job-tables.ts'
import type { InstanceTable, OperationTable } from './operation-tables.ts'
import type { PortalSessionTable } from './webhook-tables.ts'

export interface CatalogueTables {
  tenant: TenantTable
  account: AccountTable
  sign_in_name: SignInNameTable
  role: RoleTable
  api_key: ApiKeyTable
  session: SessionTable
  refresh_token: RefreshTokenTable
  one_time_token: OneTimeTokenTable
  invitation: InvitationTable
  sign_up: SignUpTable
  totp: TotpTable
  recovery_code: RecoveryCodeTable
  wrong_code: WrongCodeTable
  factor_requirement: FactorRequirementTable
  passkey: PasskeyTable
  identity_provider: IdentityProviderTable
  provider_client_key: ProviderClientKeyTable
  proven_domain: ProvenDomainTable
  provider_identity: ProviderIdentityTable
  provider_session: ProviderSessionTable
  signing_key: SigningKeyTable
  audit: AuditTable
  pending_tenant: PendingTenantTable
  tenant_move: TenantMoveTable
  tenant_database: TenantDatabaseTable
  digest_key: DigestKeyTable
  encrypted_column: EncryptedColumnTable
  rate_limit: RateLimitTable
  job_schedule: JobScheduleTable
  owed_job: OwedJobTable
  mail: MailTable
  instance: InstanceTable
  operation: OperationTable
  portal_session: PortalSessionTable
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

export interface MailTable {
  id: string
  tenant_id: string
  template: string
  recipient: string
  /** The recipient folded. */
  recipient_key: string
  /** See `mailboxOf`; `null` for mails of earlier versions. */
  mailbox_key: string | null
  /** Of the recipient; `null`: that of the tenant. */
  locale: string | null
  /** Encrypted: the values of the template as JSON. `null` when it was sent, or when what it says has expired. */
  content: Uint8Array | null
  /** Whether it counts for the budgets of mails. */
  is_limited: boolean
  /** The network of the client that has caused it, if it is limited; `null` for a job, and for mails of earlier versions. */
  network: string | null
  /** PENDING, SENT, DEAD */
  status: string
  attempts: number
  /** Attempts before the last retry by an administrator. */
  attempts_before: number
  /** When it is due; during an attempt the end of its lease. */
  next_at: string | null
  lease: string | null
  error: string | null
  created_at: string
  /** When what it says, such as a link, is worth nothing any more. */
  expires_at: string | null
  sent_at: string | null
}

/** A tenant whose own database may have pending deliveries. */
export interface PendingTenantTable {
  tenant_id: string
  touched_at: string
}

export interface AccountTable {
  id: string
  tenant_id: string
  user_name: string
  user_name_key: string
  email: string
  email_key: string
  /** When the user last proved to read the mails of the address; `null`: never. */
  email_verified_at: string | null
  password_hash: string
  first_name: string
  last_name: string
  phone_number: string | null
  /** Names joined by a space. */
  roles: string
  is_active: boolean
  created_at: string
  version: number
}

/** The folded user names and emails of a tenant, in one namespace. */
export interface SignInNameTable {
  tenant_id: string
  name_key: string
  account_id: string
}

/** A role that a tenant has made. */
export interface RoleTable {
  tenant_id: string
  /** The name folded. */
  name_key: string
  name: string
  description: string | null
  /** JSON array of names. */
  permissions: string
  created_at: string
  updated_at: string
  version: number
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

export interface SessionTable {
  id: string
  tenant_id: string
  account_id: string
  created_at: string
  /** Extended by each refresh. */
  expires_at: string
  revoked_at: string | null
  client_address: string
  /** How the user signed in: names of `SignInMethod`, joined by a space. */
  methods: string
  /** When the user last proved who they are in this session. */
  authenticated_at: string
  /** The beginning of the `User-Agent` of the sign-in. */
  user_agent: string | null
  /** To the minute. */
  last_used_at: string
  /** The administrator of the host tenant who acts as the user in this session. */
  impersonator_id: string | null
  impersonator_name: string | null
}

/** All refresh tokens of a session, so that the reuse of any of them is detected. */
export interface RefreshTokenTable {
  /** SHA-256 of the token, in hex. The token is not stored. */
  hash: string
  session_id: string
  created_at: string
  /** When its successor replaced it. */
  rotated_at: string | null
}

export interface AuditTable {
  id: string
  tenant_id: string
  actor_id: string | null
  actor_name: string | null
  /** Who acted as the actor. */
  impersonator_id: string | null
  impersonator_name: string | null
  action: string
  subject_type: string
  subject_id: string | null
  /** JSON text. */
  detail: string
  client_address: string | null
  request_id: string
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

/** A key of digests. A change of the master key does not affect it. */
export interface DigestKeyTable {
  purpose: string
  /** Encrypted. */
  key: Uint8Array
  created_at: string
}

/** An encrypted column of any feature that has run here. */
export interface EncryptedColumnTable {
  /** Table and column, joined by a dot. */
  name: string
  /** JSON object. */
  location: string
}

export interface TenantTable {
  id: string
  /** The id folded: unique without regard to case. */
  id_key: string
  name: string
  subdomain: string | null
  plan: string | null
  /** Encrypted. */
  connection_string: Uint8Array | null
  is_active: boolean
  created_at: string
  version: number
  /** Until then no delivery is sent for the tenant, because it is about to be moved. */
  paused_until: string | null
  /** When the erasure of the tenant began; it cannot be undone. */
  erasing_since: string | null
  /** JSON object: the number of rows of each table when writes were fenced. */
  erased_rows: string | null
}

/** A move in progress. */
export interface TenantMoveTable {
  /** The folded id. */
  tenant_key: string
  id: string
  /** COPYING, SWITCHED, ABANDONED */
  phase: string
  /** Encrypted connection string; `null` for the shared database. */
  source: Uint8Array | null
  /** The same. */
  target: Uint8Array | null
  started_at: string
  switched_at: string | null
}

/** What is known of a tenant's own database. Tenants from before this table have no row until it is opened. */
export interface TenantDatabaseTable {
  /** The folded id. */
  tenant_key: string
  /** `null` until it is created: only then may it be created. */
  database_id: string | null
  /** At least that of its last opening by this installation. */
  generation: number
}
