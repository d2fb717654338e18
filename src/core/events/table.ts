import type { Generated } from 'kysely'
import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/tenant-tables.ts' {
  interface TenantTables {
    event: EventTable
  }
}

/** The row of an event. */
export interface EventTable {
  tenant_id: TenantColumn
  id: string
  type: string
  /** JSON text as it was written: receivers get the same bytes with every attempt. */
  data: string
  created_at: string
  /** When its deliveries were written, or when it was stored if no subscription matches; `null` until then. */
  dispatched_at: string | null
  /** An `EventState` as JSON, which filters and access rules compare; `null` for an event that is not about a row. */
  state: Generated<string | null>
  /** The number of webhooks of this service that led to the event one after the other; it bounds loops. */
  hops: Generated<number>
  /** The id of the event or receipt that began the chain of webhooks; `null` without a chain. */
  origin: Generated<string | null>
  /** Its position among the tenant's events, set by the database; `null` for older events. */
  position: Generated<number | null>
}
