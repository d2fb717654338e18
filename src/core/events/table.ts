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
  /** When its deliveries were written, or the event if no subscription matches; `null` until then. */
  dispatched_at: string | null
  /** JSON text: what lists and rules decide by of the row that changed, see `EventState`; `null` for other events. */
  state: Generated<string | null>
  /** The number of our deliveries that led to it in a chain. */
  hops: Generated<number>
  /** What began the chain of webhooks that led to it; `null` without a chain. */
  origin: Generated<string | null>
  /** Its position among the tenant's events, set by the database; `null` for older events. */
  position: Generated<number | null>
}
