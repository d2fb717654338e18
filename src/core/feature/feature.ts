import type { EncryptedColumn } from '../../database/encrypted-rows.ts'
import type { Migration } from '../../database/migration.ts'
import type { Table } from '../../database/table.ts'
import type { AuditCatalogue } from '../audit/action.ts'
import type { Context } from '../context.ts'
import type { EventCatalogue } from '../events/event-type.ts'
import type { Metric } from '../metric.ts'
import type { TenantSettingCatalogue } from '../tenant/settings/setting.ts'
import type { ActionCatalogue } from './action.ts'
import type { GraphQLPart } from './field.ts'
import type { Route } from './route.ts'

/**
 * What a feature contributes to the service. A test enforces that the business features, `src/catalog` and
 * `src/orders`, use nothing that yours cannot. The features of identity, tenancy, webhooks and operations have the same
 * members, but also use internal parts: signing keys, the queue of password hashes, the delivery workers and the
 * connections to tenants' databases. These parts decide who a caller is and which rows belong to a tenant.
 */
export interface Feature {
  /** A singular noun. */
  name: string
  migrations?: readonly Migration[]
  /** Its tables, if it declares them. Its own migrations create them, or else those in the files of the application. */
  tables?: readonly Table[]
  routes?: readonly Route[]
  /** Its fields of the GraphQL schema; their names are unique among the features. */
  graphql?: GraphQLPart
  /** The events that it publishes; their names are unique among the features. */
  events?: EventCatalogue
  /** The actions that it records in the audit; their names are unique among the features. */
  audited?: AuditCatalogue
  /** Actions that rules on incoming webhooks may run; their names are unique among the features. */
  actions?: ActionCatalogue
  jobs?: readonly Job[]
  /** Settings that every tenant has; their names are unique among the features. */
  tenantSettings?: TenantSettingCatalogue
  metrics?: readonly Metric[]
  /** Its encrypted columns, one for each purpose: re-encrypted when the master key changes. */
  encrypted?: readonly EncryptedColumn[]
  /** The purposes of its keyed digests. */
  digests?: readonly string[]
}

/** Periodic work while the service runs. Every instance runs it, so it must be safe to run twice. */
export interface Job {
  name: string
  everyMs: number
  /**
   * @param context with the rights of the operator
   * @param signal aborted when the service stops and waits for the run; throwing its reason is not a failure
   */
  run(context: Context, signal: AbortSignal): Promise<void>
}
