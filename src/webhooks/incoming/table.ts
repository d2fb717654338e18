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
  /** The name in lower case. */
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
  /** The name of the provider in lower case. */
  provider: string
  /** Identifies the event: the provider's id, or the digest of the body. */
  event_key: string
  event_id: string | null
  event_type: string | null
  /** The combined status of the runs of the receipt. */
  status: string
  /** The number of webhooks of this service that led to the receipt, each caused by the one before. */
  hops: number
  scheme: string
  /** The index of the secret that signed, 0 for the newest. */
  secret_place: number
  /** The headers of the request as a JSON object. Secrets are masked. */
  headers: string
  body: Uint8Array
  received_at: string
}

/** A run: the action of a rule, for one receipt. */
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
  /** When the next attempt is due; `null` when there is none. */
  next_at: string | null
  created_at: string
  finished_at: string | null
  /** The event or the receipt that began the chain of webhooks; `null` for runs of the first receipt. */
  origin: Generated<string | null>
}
