/** Row types of incoming webhooks. */
import type { Generated } from 'kysely'
import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/tenant-tables.ts' {
  interface TenantTables {
    webhook_provider: WebhookProviderTable
    webhook_rule: WebhookRuleTable
    webhook_receipt: WebhookReceiptTable
    webhook_run: WebhookRunTable
  }
}

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
  /** The combined status of the runs of the receipt. */
  status: string
  /** The number of our own deliveries that led here in a chain. */
  hops: number
  scheme: string
  /** The index of the secret that signed, 0 for the newest. */
  secret_place: number
  /** The headers of the request as a JSON object. Secrets are masked. */
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
