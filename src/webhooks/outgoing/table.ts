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
  /** Empty for the kind EVENT, which is unique by event and subscription; else the id. */
  copy: string
  /** PENDING until it has SUCCEEDED or is DEAD; KEPT while its subscription is deactivated. */
  status: string
  attempts: number
  /** Attempts before the recovery, after which the schedule starts again. */
  attempts_before: number
  /** The queue key that it waits under; `null` when it does not wait. */
  queue: string | null
  /** When it is due; while it is leased, when the lease ends. */
  next_at: string | null
  /** The worker that is sending the delivery. */
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
