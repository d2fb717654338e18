/** Row types of the catalogue: what there is once for the service. */
import type { DigestKeyTable, SealedColumnTable, SigningKeyTable } from './key-tables.ts'
import type { TenantMoveTable, TenantTable } from './tenant-tables.ts'

export interface CatalogueTables {
  tenant: TenantTable
  account: AccountTable
  sign_in_name: SignInNameTable
  session: SessionTable
  refresh_token: RefreshTokenTable
  signing_key: SigningKeyTable
  audit: AuditTable
  pending_tenant: PendingTenantTable
  tenant_move: TenantMoveTable
  digest_key: DigestKeyTable
  sealed_column: SealedColumnTable
  rate_limit: RateLimitTable
}

/** What is counted on PostgreSQL, by `rate-limiter-flexible` and by sliding windows. */
export interface RateLimitTable {
  /** The name of the policy, a colon, and whom it counts. */
  key: string
  points: number
  /** In milliseconds. `rate-limiter-flexible` removes rows an hour later, whoever wrote them. */
  expire: number | null
  /** Of a sliding window: how many at each moment, as JSON. */
  hits: string | null
}

/** A tenant in whose own database work may wait. */
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

/** User names and emails of a tenant in one namespace, folded. */
export interface SignInNameTable {
  tenant_id: string
  name_key: string
  account_id: string
}

export interface SessionTable {
  id: string
  tenant_id: string
  account_id: string
  created_at: string
  /** Moves with each refresh. */
  expires_at: string
  revoked_at: string | null
  client_address: string
}

/** Every refresh token ever given out for a session, so that the reuse of any of them is noticed. */
export interface RefreshTokenTable {
  /** SHA-256 of the token, hex. The token itself is nowhere. */
  hash: string
  session_id: string
  created_at: string
  /** When it was exchanged for its successor. */
  rotated_at: string | null
}

export interface AuditTable {
  id: string
  tenant_id: string
  actor_id: string | null
  actor_name: string | null
  action: string
  subject_type: string
  subject_id: string | null
  /** JSON text. */
  detail: string
  client_address: string | null
  request_id: string
  created_at: string
}
