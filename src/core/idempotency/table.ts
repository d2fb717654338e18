/** Row types of idempotency. */
import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/tenant-tables.ts' {
  interface TenantTables {
    idempotency: IdempotencyTable
    idempotency_former_key: IdempotencyFormerKeyTable
  }
}

export interface IdempotencyTable {
  tenant_id: TenantColumn
  /** Digest of the caller and the key. */
  key: string
  /** Digest of the request that first used the key. */
  fingerprint: string
  /** The encrypted outcome of the command, which may contain a secret that is shown once. */
  outcome: Uint8Array
  created_at: string
}

/** The digest key of a former installation of the tenant. */
export interface IdempotencyFormerKeyTable {
  tenant_id: TenantColumn
  id: string
  /** Encrypted. */
  key: Uint8Array
  /** When the tenant left that installation: the key has no newer digests. */
  created_at: string
}
