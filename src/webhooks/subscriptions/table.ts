import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/tenant-tables.ts' {
  interface TenantTables {
    subscription: SubscriptionTable
  }
}

export interface SubscriptionTable {
  tenant_id: TenantColumn
  id: string
  url: string
  /** JSON list of patterns. */
  events: string
  /** The customer of the tenant to whom the subscription belongs; `null` for the tenant itself. */
  customer: string | null
  /** Who chose the events; `null` for the administrators. Events are sent only if the owner may read their row. */
  owner: string | null
  /** `user`: only events that every user may see are sent. `admin`: all events that the owner may see are sent. */
  access: string
  /** Encrypted JSON list, newest first: the secret, and until when it signs (`null`: until it is replaced). */
  secrets: Uint8Array
  /** Encrypted JSON object of the subscriber's own headers. */
  headers: Uint8Array
  /** JSON list; `null` for the schedule of the settings. */
  retry_seconds: string | null
  /** False with `deactivated_at` null: paused; its deliveries wait. */
  is_active: boolean
  created_at: string
  updated_at: string
  /** Incremented by changes of users and by a deactivation, but not by the counters below. */
  version: number
  success_count: number
  failure_count: number
  last_success_at: string | null
  last_failure_at: string | null
  /** The first failure since the last success. */
  failing_since: string | null
  /** Days with a failure since the last success. */
  failing_days: number
  warned_at: string | null
  /** When the service deactivated it; `is_active` is then false, and new deliveries are kept until a recovery. */
  deactivated_at: string | null
  deactivation_reason: string | null
}
