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
  /** The key with which the job was enqueued. */
  key: string | null
  /** Name and key, until the first attempt begins. Unique: while a job waits, no second one with its key is stored. */
  pending_key: string | null
  /** JSON. */
  data: string
  /** Encrypted. Unlike the data, no API shows the secret. */
  secret: Uint8Array | null
  /** Whose rights the job has: `user:` or `apiKey:` with an id; `null` for the rights of an administrator. */
  caller: string | null
  /** PENDING, RUNNING, FAILING (waits for another attempt), SUCCEEDED, DEAD. */
  status: string
  /** Attempts that have begun. */
  attempts: number
  /** The attempts before the last retry by a user, which begins the retry schedule again. */
  attempts_before: number
  /** The number of webhooks of this service that led to the job, each caused by the one before. */
  hops: number
  /** The event or the receipt that began this chain of webhooks. */
  origin: string | null
  /** When the job is due; while it runs, when its lease ends; `null` when it has ended. */
  next_at: string | null
  /** Identifies the claim under which a worker runs the job; `null` when none does. */
  lease: string | null
  created_at: string
  /** When the last attempt began. */
  started_at: string | null
  finished_at: string | null
  /** Why the last attempt failed. */
  error: string | null
}
