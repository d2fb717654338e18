import type { TenantColumn } from '../database/scope.ts'

declare module '../database/tenant-tables.ts' {
  interface TenantTables {
    queued_job: QueuedJobTable
  }
}

export interface QueuedJobTable {
  tenant_id: TenantColumn
  id: string
  /** The name of the job that a feature declares. */
  name: string
  /** What its creator calls it. */
  key: string | null
  /** Name and key until the first attempt begins: until then no other job of the tenant has them. */
  pending_key: string | null
  /** JSON. */
  data: string
  /** Encrypted. Unlike the data, it is shown to nobody. */
  secret: Uint8Array | null
  /** Whose rights it has: `user:` or `apiKey:` with an id; `null` for those of the tenant. */
  caller: string | null
  /** PENDING, RUNNING, FAILING (waits for another attempt), SUCCEEDED, DEAD. */
  status: string
  /** Attempts that have begun. */
  attempts: number
  /** Attempts before a user has retried it, after which the schedule starts again. */
  attempts_before: number
  /** The number of our own webhooks in the chain that led here. */
  hops: number
  /** What began that chain. */
  origin: string | null
  /** When it is due; while it runs, when its lease ends; `null` when it has ended. */
  next_at: string | null
  /** The worker that is running it. */
  lease: string | null
  created_at: string
  /** When the last attempt began. */
  started_at: string | null
  finished_at: string | null
  /** Why the last attempt failed. */
  error: string | null
}
