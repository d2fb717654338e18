import { type Context, now } from '../context.ts'
import { TenantData } from '../database/data.ts'
import { newEventId } from '../id.ts'
import type { EventPayloads } from './catalogue.ts'
import { insertEvent } from './sql.ts'

/**
 * Writes an event in the transaction of the change it tells of: neither is there without the other.
 * @param tenantId whose event it is, where that is not the context's tenant
 * @returns the event's id, `evt_…`
 * @throws Error outside a transaction, or for a payload that is not as the catalogue says
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

/** For a payload that was checked. @throws Error outside a transaction */
export async function writeEvent(
  context: Context,
  type: string,
  payload: object,
  tenantId: string,
): Promise<string> {
  if (context.transaction === null) throw new Error(`The event ${type} was published outside a transaction.`)
  const id = newEventId()
  const { shared, transaction, transactionDatabase: database } = context
  const data = new TenantData(tenantId, transaction)
  const { hops } = context
  await insertEvent(data, { id, type, data: JSON.stringify(payload), created_at: now(context), hops })
  if (database !== null) transaction.afterCommit(() => shared.wakeDeliveries(tenantId, database))
  return id
}
