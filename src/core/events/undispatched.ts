/** Events that wait to be dispatched, when their tenant's rows change places. */
import type { TenantData } from '../../database/data.ts'
import { markUndispatched, undispatchedIds } from './sql.ts'

/** Its value is of one database alone: see `feed.ts`. */
export const positionColumn = 'event.position'
/** Where a tenant has a database of its own, events of the catalogue wait in this table all the same. */
export const eventTable = 'event'
export const dispatchedColumn = 'event.dispatched_at'
/** A condition on `eventTable`: what still waits in the catalogue is not removed. */
export const isDispatched = 'dispatched_at IS NOT NULL'
/** The same for what waits. */
export const isUndispatched = 'dispatched_at IS NULL'

const maxIdsPerStatement = 1000

export function listUndispatched(data: TenantData): Promise<string[]> {
  return undispatchedIds(data)
}

/** They wait again, whatever is noted of them here. */
export async function awaitDispatch(data: TenantData, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += maxIdsPerStatement)
    await markUndispatched(data, ids.slice(from, from + maxIdsPerStatement))
}
