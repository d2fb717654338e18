import { type Context, now } from '../context.ts'
import { TenantData } from '../database/data.ts'
import { newEventId } from '../id.ts'
import type { EventPayloads } from './catalogue.ts'
import { insertEvent } from './sql.ts'

/**
 * Writes an event in the transaction of the change it tells of: neither is there without the other.
 * @param tenantId whose event it is, where that is not the context's tenant
 * @returns the event's id, `evt_…`
 */
export async function recordEvent<T extends keyof EventPayloads>(
  context: Context,
  type: T,
  payload: EventPayloads[T],
  tenantId: string = context.tenant.id,
): Promise<string> {
  if (context.transaction === null) throw new Error(`The event ${type} was recorded outside a transaction.`)
  const id = newEventId()
  const data = new TenantData(tenantId, context.transaction)
  await insertEvent(data, { id, type, data: JSON.stringify(payload), created_at: now(context) })
  return id
}
