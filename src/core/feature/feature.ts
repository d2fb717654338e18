import type { EncryptedColumn } from '../../database/encrypted-rows.ts'
import type { Migration } from '../../database/migration.ts'
import type { Context } from '../context.ts'
import type { EventCatalogue } from '../events/event-type.ts'
import type { Metric } from '../metric.ts'
import type { ActionCatalogue } from './action.ts'
import type { GraphQLPart } from './field.ts'
import type { Route } from './route.ts'

/** What a part of the service offers. The built-in ones use nothing that yours cannot. */
export interface Feature {
  /** A singular noun. */
  name: string
  migrations?: readonly Migration[]
  routes?: readonly Route[]
  /** Its fields of the GraphQL schema; no other feature has one of the same name. */
  graphql?: GraphQLPart
  /** The events that it publishes; no other feature has one of the same name. */
  events?: EventCatalogue
  /** What rules on incoming webhooks may call for, by name; no other feature has one of the same name. */
  actions?: ActionCatalogue
  jobs?: readonly Job[]
  metrics?: readonly Metric[]
  /** Its encrypted columns, one for each purpose: re-encrypted when the master key changes. */
  encrypted?: readonly EncryptedColumn[]
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
