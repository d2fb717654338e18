/** Row types, the same on both databases: ids and timestamps strings, booleans booleans, prices numbers. */

import type { Generated } from 'kysely'
import type { QueuedJobTable } from './job-tables.ts'
import type { TenantColumn } from './scope.ts'
import type {
  AttemptTable,
  DeliveryTable,
  SubscriptionTable,
  WebhookProviderTable,
  WebhookReceiptTable,
  WebhookRuleTable,
  WebhookRunTable,
} from './webhook-tables.ts'

/**
 * Tables whose rows belong to a tenant. A feature of your own adds its table by declaration merging:
 * `declare module 'tenantry' { interface TenantTables { note: NoteTable } }`.
 */
export interface TenantTables {
  sequence: SequenceTable
  file: FileTable
  stray_file: StrayFileTable
  file_usage: FileUsageTable
  event: EventTable
  idempotency: IdempotencyTable
  idempotency_former_key: IdempotencyFormerKeyTable
  subscription: SubscriptionTable
  tenant_setting: TenantSettingTable
  delivery: DeliveryTable
  attempt: AttemptTable
  webhook_provider: WebhookProviderTable
  webhook_rule: WebhookRuleTable
  webhook_receipt: WebhookReceiptTable
  webhook_run: WebhookRunTable
  queued_job: QueuedJobTable
}

type OfAllTenants<T> = Omit<T, 'tenant_id'> & { tenant_id: string }

type QueueTable =
  | 'event'
  | 'subscription'
  | 'delivery'
  | 'attempt'
  | 'webhook_run'
  | 'webhook_receipt'
  | 'queued_job'

/** The tables that queues read and write for all tenants of a database together. */
export type QueueTables = {
  [K in QueueTable]: OfAllTenants<TenantTables[K]>
}

export interface FileTable {
  tenant_id: TenantColumn
  id: string
  name: string
  type: string
  size: number
  sha256: string
  created_at: string
  /** `null` while a row may name it. */
  unused_since: string | null
}

export interface StrayFileTable {
  tenant_id: TenantColumn
  id: string
  since: string
}

export interface FileUsageTable {
  tenant_id: TenantColumn
  bytes: number
}

export interface TenantSettingTable {
  tenant_id: TenantColumn
  /** An object as JSON: the values that the tenant has set, by name. */
  content: string
  version: number
  updated_at: string
}

/** The last number of each sequence of the tenant. */
export interface SequenceTable {
  tenant_id: TenantColumn
  /** Table and field: `invoice.number`. */
  name: string
  last: number
}

export interface EventTable {
  tenant_id: TenantColumn
  id: string
  type: string
  /** JSON text as it was written: receivers get the same bytes with every attempt. */
  data: string
  created_at: string
  /** When its deliveries were written, or the event if no subscription matches; `null` until then. */
  dispatched_at: string | null
  /** The number of our deliveries that led to it in a chain. */
  hops: Generated<number>
  /** What began the chain of webhooks that led to it; `null` without a chain. */
  origin: Generated<string | null>
  /** Its position among the tenant's events, set by the database; `null` for older events. */
  position: Generated<number | null>
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
