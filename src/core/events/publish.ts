import { TenantData } from '../../database/data.ts'
import { type Context, now } from '../context.ts'
import { invalidField, ServiceError } from '../errors.ts'
import { newEventId } from '../id.ts'
import { inTransaction } from '../transaction.ts'
import type { EventPayloads } from './catalogue.ts'
import { searchedFor } from './event-type.ts'
import { insertEvent } from './record/sql.ts'
import type { EventInput, PublishedEvent } from './schema.ts'

/** Of the data of one event, as JSON in UTF-8: receivers have to read it, and the service to hold many at once. */
export const maxDataBytes = 256 * 1024

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
  if (Buffer.byteLength(text) > maxDataBytes) {
    throw invalidField('data', `must not be larger than ${maxDataBytes / 1024} KiB`)
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

/**
 * Publishes an event by its name. Any user of the tenant may publish one of the application's own; one of the
 * catalogue, which tells of a change, only an administrator, and only with the payload that the catalogue says.
 * @throws ServiceError `invalid`, `forbidden`
 */
export function publishApplicationEvent(
  context: Context,
  { type, data }: EventInput,
): Promise<PublishedEvent> {
  return inTransaction(context, async (inside) => {
    refuseAnotherCase(context, type)
    if (context.shared.eventTypes.has(type)) requireTrustworthy(context, type, data)
    return { id: await writeEvent(inside, type, data, context.tenant.id) }
  })
}

/** Receivers would take it for the event of the catalogue. */
function refuseAnotherCase({ shared }: Context, type: string): void {
  const known = shared.eventTypes.nameLike(type)
  if (known !== null && known !== type) throw invalidField('type', `is ${known} in the catalogue`)
}

function requireTrustworthy({ actor, shared }: Context, type: string, data: object): void {
  if (actor?.roles.includes('Admin') !== true) {
    throw new ServiceError('forbidden', 'Only an administrator may publish an event of the catalogue.')
  }
  const faults = shared.eventTypes.faultsOf(type, data)
  if (faults !== null) throw invalidField('data', `is not as the catalogue says: ${faults}`)
}

const maxTypeLength = 100

/**
 * Publishes what a provider has told. Characters that no name of an event has become dots (`/`, `:`) or `_`.
 * @throws ServiceError `invalid` for a name of the catalogue: what is there tells of changes of our own
 */
export function publishIncoming(context: Context, name: string, data: object): Promise<string> {
  const type = eventName(name)
  if (type.length > maxTypeLength) {
    throw new ServiceError('invalid', `The name of the event is longer than ${maxTypeLength} characters.`)
  }
  if (context.shared.eventTypes.nameLike(type) !== null) {
    throw new ServiceError(
      'invalid',
      `The event ${type} tells of changes of this service: it is not published.`,
    )
  }
  return writeEvent(context, type, data, context.tenant.id)
}

function eventName(text: string): string {
  const words = text.split(/[./:]+/).map((word) => word.replaceAll(/[^A-Za-z0-9_-]/g, '_'))
  return words.filter((word) => word !== '').join('.')
}
