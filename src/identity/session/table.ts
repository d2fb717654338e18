/** Row types of sessions, of their refresh tokens, and of the counts of rate limits. */
import type { TenantColumn } from '../../database/scope.ts'
import { belongsTo } from '../../database/scope-parent.ts'

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    session: SessionTable
    refresh_token: RefreshTokenTable
    rate_limit: RateLimitTable
  }

  interface ChildTables {
    refresh_token: 'session'
  }
}

belongsTo('refresh_token', { column: 'session_id', table: 'session' })

export interface SessionTable {
  id: string
  tenant_id: TenantColumn
  account_id: string
  created_at: string
  /** When the session ends. Each refresh extends it. */
  expires_at: string
  revoked_at: string | null
  client_address: string
  /** How the user signed in: names of `SignInMethod`, joined by a space. */
  methods: string
  /** When the user last proved who they are in this session. */
  authenticated_at: string
  /** The beginning of the `User-Agent` of the sign-in. */
  user_agent: string | null
  /** When the session was last used, to the minute. */
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
  /** When the token was exchanged for its successor. */
  rotated_at: string | null
}

/** Counts of rate limits on PostgreSQL, by `rate-limiter-flexible` and by sliding windows. */
export interface RateLimitTable {
  /** The name of the policy, a colon, and the client. */
  key: string
  points: number
  /** Unix milliseconds. A job removes the row an hour later. */
  expire: number | null
  /** The hits of a sliding window by moment, as JSON. */
  hits: string | null
}
