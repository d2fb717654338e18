import type { Migration } from '../../database/migration.ts'
import type { SealedColumn } from '../../database/sealed-rows.ts'
import type { AuditCatalogue } from '../audit/action.ts'
import type { Context } from '../context.ts'
import type { EventCatalogue } from '../events/event-type.ts'
import type { Metric } from '../metric.ts'
import type { ActionCatalogue } from './action.ts'
import type { GraphQLPart } from './field.ts'
import type { Route } from './route.ts'

/**
 * What a part of the service offers. The business features, `src/catalog` and `src/orders`, use nothing that yours
 * cannot: a test holds it. The features of identity, tenancy, webhooks and operations declare the same members, but are
 * made with parts that the service keeps to itself: signing keys, the queue of password hashes, the delivery engine and
 * the connections to tenants' databases. They decide who a caller is and which rows are a tenant's.
 */
export interface Feature {
  /** A singular noun. */
  name: string
  migrations?: readonly Migration[]
  routes?: readonly Route[]
  /** Its fields of the GraphQL schema; no other feature has one of the same name. */
  graphql?: GraphQLPart
  /** The events that it publishes; no other feature has one of the same name. */
  events?: EventCatalogue
  /** The actions that it records in the audit; no other feature has one of the same name. */
  audited?: AuditCatalogue
  /** What rules on incoming webhooks may call for, by name; no other feature has one of the same name. */
  actions?: ActionCatalogue
  jobs?: readonly Job[]
  metrics?: readonly Metric[]
  /** Where it keeps what it seals: re-encrypted from here when the master key changes. A purpose has one column. */
  sealed?: readonly SealedColumn[]
  /** The purposes of its keyed digests. */
  digests?: readonly string[]
}

/** Work at intervals while the service runs. Every instance does it, so doing it twice must do no harm. */
export interface Job {
  name: string
  everyMs: number
  /**
   * @param context with the rights of the operator
   * @param signal aborted when the service stops, which waits for the run: throwing its reason is no failure
   */
  run(context: Context, signal: AbortSignal): Promise<void>
}
