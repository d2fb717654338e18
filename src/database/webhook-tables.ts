/** Row types of what providers send to us. */
import type { Generated } from 'kysely'
import type { TenantColumn } from './scope.ts'

export interface WebhookProviderTable {
  tenant_id: TenantColumn
  /** In lower case. */
  name: string
  scheme: string
  /** Encrypted JSON list, newest first: the secret, and until when it is accepted (`null`: until it is replaced). */
  secrets: Uint8Array
  tolerance_seconds: number
  created_at: string
  updated_at: string
}

export interface WebhookRuleTable {
  tenant_id: TenantColumn
  id: string
  provider: string
  /** The provider in lower case. */
  provider_key: string
  event_type: string
  action: string
  is_active: boolean
  created_at: string
}

export interface WebhookReceiptTable {
  tenant_id: TenantColumn
  id: string
  /** In lower case. */
  provider: string
  /** What makes it the same event: the provider's id of it, or the digest of the body. */
  event_key: string
  event_id: string | null
  event_type: string | null
  /** What has become of its runs. */
  status: string
  /** How many of our own deliveries have led here. */
  hops: number
  scheme: string
  /** Which of the secrets has signed, 0 for the newest. */
  secret_place: number
  /** JSON object; what is secret is masked. */
  headers: string
  body: Uint8Array
  received_at: string
}

/** One action that a rule has called for. */
export interface WebhookRunTable {
  tenant_id: TenantColumn
  receipt_id: string
  id: string
  rule_id: string
  action: string
  status: string
  attempts: number
  /** Why the last attempt failed. */
  error: string | null
  /** When it is tried again; `null` when it is not. */
  next_at: string | null
  created_at: string
  finished_at: string | null
  /** What has begun the chain of webhooks that its receipt is part of; `null` when the receipt is the first. */
  origin: Generated<string | null>
}

export interface SubscriptionTable {
  tenant_id: TenantColumn
  id: string
  url: string
  /** JSON list of patterns. */
  events: string
  /** `admin`: an administrator has said which events it wants, those for administrators among them. */
  access: string
  /** Encrypted JSON list, newest first: the secret, and until when it signs (`null`: until it is replaced). */
  secrets: Uint8Array
  /** Encrypted JSON object of the subscriber's own headers. */
  headers: Uint8Array
  /** JSON list; `null` for the schedule of the settings. */
  retry_seconds: string | null
  /** Paused while false and `deactivated_at` is null: its deliveries wait. */
  is_active: boolean
  created_at: string
  updated_at: string
  /** Moves with what a subscriber can see of it: deactivation, not the figures below. */
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
  /** Set when the service itself ended it; then `is_active` is false, and no deliveries are made for it. */
  deactivated_at: string | null
  deactivation_reason: string | null
}

export interface DeliveryTable {
  tenant_id: TenantColumn
  id: string
  subscription_id: string
  event_id: string
  event_type: string
  /** EVENT: the event was published. REPLAY, TEST: somebody asked for it. */
  kind: string
  /** Empty for the kind EVENT, so that there is one for each event and subscription; else the id. */
  copy: string
  /** PENDING until it has SUCCEEDED or is DEAD; KEPT while its subscription is deactivated. */
  status: string
  attempts: number
  /** Attempts before it was recovered: the schedule starts anew behind them. */
  attempts_before: number
  /** Which line it waits in, see `lane.ts`; `null` when it does not wait. */
  queue: string | null
  /** When it is due; while it is leased, when the lease ends. */
  next_at: string | null
  /** Who is sending it. */
  lease: string | null
  created_at: string
  finished_at: string | null
  /** Why it is dead or kept. */
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
