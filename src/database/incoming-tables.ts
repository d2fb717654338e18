/** Row types of what providers send to us. */
import type { Generated } from 'kysely'
import type { TenantColumn } from './tenant-column.ts'

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
