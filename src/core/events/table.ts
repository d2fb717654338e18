import type { Generated } from 'kysely'
import type { TenantColumn } from '../../database/scope.ts'

declare module '../../database/tenant-tables.ts' {
  interface TenantTables {
    event: EventTable
  }
}

export interface EventTable {
  tenant_id: TenantColumn
  id: string
  type: string
  /** JSON text as it was written: receivers get the same bytes with every attempt. */
  data: string
  created_at: string
  /** When the deliveries were written, or the event itself if no subscription matches; `null` until then. */
  dispatched_at: string | null
  /** JSON text of `EventState`, by which lists and rules decide; `null` for an event that is not of a row. */
  state: Generated<string | null>
  /** The number of our deliveries that led to it in a chain. */
  hops: Generated<number>
  /** The id of the event or receipt that began the chain of webhooks; `null` without a chain. */
  origin: Generated<string | null>
  /** Its position among the tenant's events, set by the database; `null` for older events. */
  position: Generated<number | null>
}
