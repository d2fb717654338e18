import { TenantData } from '../../database/data.ts'
import { type Context, now } from '../context.ts'
import { invalidField } from '../errors.ts'
import { newEventId } from '../id.ts'
import type { EventPayloads } from './event-type.ts'
import { searchedFor } from './pattern.ts'
import { insertEvent } from './record/sql.ts'

/** Of the data of one event, as JSON in UTF-8: receivers have to read it, and the service to hold many at once. */
export const mostDataBytes = 256 * 1024

/**
 * Writes an event in the transaction of the change it tells of: neither is there without the other.
 * @param tenantId whose event it is, where that is not the context's tenant
 * @returns the event's id, `evt_…`
 * @throws Error outside a transaction, or for a payload that is not as the catalogue says
 * @throws ServiceError `invalid` for one of more than `mostDataBytes`
 */
export async function publish<T extends keyof EventPayloads & string>(
  context: Context,
  type: T,
  payload: EventPayloads[T],
  tenantId: string = context.tenant.id,
): Promise<string> {
  context.shared.eventTypes.check(type, payload)
  return writeEvent(context, type, payload, tenantId)
}

/** For a payload that was checked. @throws Error outside a transaction; ServiceError `invalid` for a large one */
export async function writeEvent(
  context: Context,
  type: string,
  payload: object,
  tenantId: string,
): Promise<string> {
  const { shared, transaction, transactionDatabase: database } = context
  if (transaction === null || database === null)
    throw new Error(`The event ${type} was published outside a transaction.`)
  const text = JSON.stringify(payload)
  if (Buffer.byteLength(text) > mostDataBytes) {
    throw invalidField('data', `must not be larger than ${mostDataBytes / 1024} KiB`)
  }
  const { hops, origin } = context
  const id = newEventId()
  await insertEvent(
    new TenantData(tenantId, transaction),
    { tenantId, id, type, data: text, created_at: now(context), hops, origin, ...searchedFor(type) },
    {
      isInCatalogue: database === shared.catalogueDatabase,
      waits: () => transaction.afterCommit(() => shared.wakeDeliveries(tenantId, database)),
    },
  )
  transaction.afterCommit(() => shared.wakeFollowers(tenantId))
  return id
}
