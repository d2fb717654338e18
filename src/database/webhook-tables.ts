/** Row types of webhooks: subscriptions and deliveries, providers and receipts. */
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
  /** Who chose its action; `null` for the administrators. It runs with the rights of the owner. */
  owner: string | null
  is_active: boolean
  created_at: string
}

export interface WebhookReceiptTable {
  tenant_id: TenantColumn
  id: string
  /** In lower case. */
  provider: string
  /** Identifies the event: the provider's id, or the digest of the body. */
  event_key: string
  event_id: string | null
  event_type: string | null
  /** The combined status of its runs. */
  status: string
  /** The number of our own deliveries that led here in a chain. */
  hops: number
  scheme: string
  /** The index of the secret that signed, 0 for the newest. */
  secret_place: number
  /** JSON object; secrets are masked. */
  headers: string
  body: Uint8Array
  received_at: string
}

/** One run of an action that a rule requires. */
export interface WebhookRunTable {
  tenant_id: TenantColumn
  receipt_id: string
  id: string
  rule_id: string
  action: string
  /** The owner of the rule when the run began. */
  owner: string | null
  status: string
  attempts: number
  /** Why the last attempt failed. */
  error: string | null
  /** When it runs again; `null` when it does not. */
  next_at: string | null
  created_at: string
  finished_at: string | null
  /** What began the chain of webhooks of its receipt; `null` when the receipt did. */
  origin: Generated<string | null>
}

export interface SubscriptionTable {
  tenant_id: TenantColumn
  id: string
  url: string
  /** JSON list of patterns. */
  events: string
  /** The customer of the tenant whom it belongs to; `null` for the tenant itself. */
  customer: string | null
  /** Who chose its events; `null` for the administrators. It gets those whose rows the owner may read. */
  owner: string | null
  /** `user`: it gets no event that a user may not see. `admin`: it gets every event that its owner may see. */
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
  /** Incremented by changes that a subscriber sees: deactivation, not the figures below. */
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
  /** When the service deactivated it; then `is_active` is false, and no deliveries are created. */
  deactivated_at: string | null
  deactivation_reason: string | null
}

/** A session of the embedded pages of webhooks. In the catalogue: its token is looked up before its tenant is known. */
export interface PortalSessionTable {
  id: string
  tenant_id: string
  /** SHA-256 of the token, in hex. The token is not stored. */
  digest: string
  customer: string | null
  /** JSON list of patterns; `null` for those of every user. */
  events: string | null
  is_read_only: boolean
  /** JSON list. */
  origins: string
  /** `session` or `apiKey`, and its id: the session ends with it. */
  maker_kind: string
  maker_id: string
  created_at: string
  expires_at: string
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
  /** The worker that is sending it. */
  lease: string | null
  created_at: string
  finished_at: string | null
  /** The reason for DEAD or KEPT. */
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
