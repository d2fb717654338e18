/** Row types of deliveries and of their attempts. */
import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/tenant-tables.ts' {
  interface TenantTables {
    delivery: DeliveryTable
    attempt: AttemptTable
  }
}

export interface DeliveryTable {
  tenant_id: TenantColumn
  id: string
  subscription_id: string
  event_id: string
  event_type: string
  /** EVENT: the event was published. REPLAY, TEST: requested by a user. */
  kind: string
  /**
   * Part of a unique key with the event and the subscription: empty for the kind EVENT, which exists once; otherwise
   * the id of the delivery.
   */
  copy: string
  /** PENDING until it has SUCCEEDED or is DEAD. KEPT: not sent, until a user recovers it. */
  status: string
  attempts: number
  /** The attempts before the last recovery, which begins the retry schedule again. */
  attempts_before: number
  /** The queue key under which the delivery waits; `null` when it does not wait. */
  queue: string | null
  /** When the delivery is due; while it has a lease, when the lease ends. */
  next_at: string | null
  /** Identifies the claim under which a worker is sending the delivery; `null` when none does. */
  lease: string | null
  created_at: string
  finished_at: string | null
  /** Why the status is DEAD or KEPT. */
  reason: string | null
}

export interface AttemptTable {
  tenant_id: TenantColumn
  delivery_id: string
  id: string
  number: number
  started_at: string
  duration_ms: number
  outcome: string
  error_class: string | null
  status: number | null
  /** JSON object. */
  request_headers: string
  /** JSON object. */
  response_headers: string
  response_excerpt: string
}
