/** Row types, the same on both databases: ids and timestamps strings, booleans booleans, prices numbers. */

import type { Generated } from 'kysely'
import type { AuditTable } from './catalogue-tables.ts'
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
  product: ProductTable
  category: CategoryTable
  sales_order: OrderTable
  sales_order_item: OrderItemTable
  order_count: OrderCountTable
  event: EventTable
  idempotency: IdempotencyTable
  idempotency_former_key: IdempotencyFormerKeyTable
  subscription: SubscriptionTable
  tenant_audit: TenantAuditTable
  delivery: DeliveryTable
  attempt: AttemptTable
  webhook_provider: WebhookProviderTable
  webhook_rule: WebhookRuleTable
  webhook_receipt: WebhookReceiptTable
  webhook_run: WebhookRunTable
}

type OfAllTenants<T> = Omit<T, 'tenant_id'> & { tenant_id: string }

/** What the work on webhooks reads and writes for all tenants of a database together. */
export type QueueTables = {
  [K in 'event' | 'subscription' | 'delivery' | 'attempt' | 'webhook_run' | 'webhook_receipt']: OfAllTenants<
    TenantTables[K]
  >
}

export interface ProductTable {
  tenant_id: TenantColumn
  id: string
  name: string
  /** The name folded for the search, so that both databases compare alike. */
  search_name: string
  description: string | null
  price: number
  is_active: boolean
  category_id: string | null
  created_at: string
  updated_at: string
  version: number
}

export interface CategoryTable {
  tenant_id: TenantColumn
  id: string
  name: string
  /** The name folded: unique within the tenant without regard to case. */
  name_key: string
  created_at: string
  updated_at: string
  version: number
}

export interface OrderTable {
  tenant_id: TenantColumn
  id: string
  /** Counts the orders of the tenant. */
  number: number
  customer_id: string
  status: string
  currency: string | null
  total: number
  created_at: string
  updated_at: string
  version: number
}

/** With copies of what the product was. */
export interface OrderItemTable {
  tenant_id: TenantColumn
  order_id: string
  position: number
  product_id: string
  name: string
  quantity: number
  unit_price: number
  line_total: number
}

/** The last number that was given to an order of the tenant. */
export interface OrderCountTable {
  tenant_id: TenantColumn
  last: number
}

export interface EventTable {
  tenant_id: TenantColumn
  id: string
  type: string
  /** JSON text, kept as it was written: receivers get the same bytes on every attempt. */
  data: string
  created_at: string
  /** When its deliveries were written, or the event itself if nobody wanted it; `null` until then. */
  dispatched_at: string | null
  /** How many deliveries of ours have led to it. */
  hops: Generated<number>
  /** What has begun the chain of webhooks that led to it; `null` when none has. */
  origin: Generated<string | null>
  /** Where it stands among the events of the tenant; set by the database. `null` for events of before there was one. */
  position: Generated<number | null>
}

export interface IdempotencyTable {
  tenant_id: TenantColumn
  /** Digest of the caller and the key. */
  key: string
  /** Digest of the request that first used the key. */
  fingerprint: string
  /** What the command returned, encrypted: it may hold a secret that is shown only once. */
  outcome: Uint8Array
  created_at: string
}

/** The key of the digests of an installation that the tenant has been in before. */
export interface IdempotencyFormerKeyTable {
  tenant_id: TenantColumn
  id: string
  /** Encrypted. */
  key: Uint8Array
  /** When the tenant left that installation: nothing was digested with the key since. */
  created_at: string
}

/** Audit of a tenant with a database of its own, as far as its own rows are concerned. */
export interface TenantAuditTable extends Omit<AuditTable, 'tenant_id'> {
  tenant_id: TenantColumn
}
