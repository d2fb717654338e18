/** Undispatched events, whose deliveries were not written yet, for moves, archives and imports of a tenant's rows. */
import type { TenantData } from '../../database/data.ts'
import { markUndispatched, undispatchedIds } from './sql.ts'

/** The column that is not copied: a position is valid in one database only (see `feed.ts`). */
export const positionColumn = 'event.position'
/** In the catalogue, this table also has events of tenants with their own databases. */
export const eventTable = 'event'
export const dispatchedColumn = 'event.dispatched_at'
/** A condition on `eventTable`: undispatched events in the catalogue are not removed. */
export const isDispatched = 'dispatched_at IS NOT NULL'
/** The opposite of `isDispatched`. */
export const isUndispatched = 'dispatched_at IS NULL'

const maxIdsPerStatement = 1000

export function listUndispatched(data: TenantData): Promise<string[]> {
  return undispatchedIds(data)
}

/** Marks the events as undispatched: this database dispatches them. */
export async function markForDispatch(data: TenantData, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += maxIdsPerStatement)
    await markUndispatched(data, ids.slice(from, from + maxIdsPerStatement))
}
