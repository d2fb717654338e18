/** Row types of tenants, and of their moves to other databases. */
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
  /** Until then nothing is sent for the tenant: it is about to be moved. */
  paused_until: string | null
  /** From then on there is no way back: what the tenant has is being erased. */
  erasing_since: string | null
  /** JSON object: how many rows of each table there were when nothing could be added any more. */
  erased_rows: string | null
}

/** A move that is not over yet. */
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
