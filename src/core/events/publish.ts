import { TenantData } from '../../database/data.ts'
import type { Transaction } from '../../database/executor.ts'
import { isAdmin } from '../actor.ts'
import { type Context, now } from '../context.ts'
import { invalidField, refusal } from '../errors.ts'
import { newEventId } from '../id.ts'
import { inTransaction } from '../transaction.ts'
import { type EventPayloads, subscriptionSearchTexts } from './event-type.ts'
import { forgetCursor } from './recent-cursor.ts'
import { insertEvent } from './record/sql.ts'
import type { EventInput, PublishedEvent } from './schema.ts'

/**
 * Publishes events: stores each in the transaction of its change, and wakes workers and subscribers after the
 * commit.
 */

/** The maximum size of an event's data as JSON: receivers have to read it, and the service has many in memory. */
export const maxDataBytes = 256 * 1024

/**
 * Writes an event in the transaction of its change, so that both are committed or neither.
 * @param tenantId of the event, if not the context's tenant
 * @returns the event's id, `evt_…`
 * @throws Error outside a transaction, or for a payload that does not match its schema
 * @throws ServiceError `invalid` for a payload of more than `maxDataBytes`
 */
export function publish<T extends keyof EventPayloads & string>(
  context: Context,
  type: T,
  payload: EventPayloads[T],
  tenantId: string = context.tenant.id,
): Promise<string> {
  context.shared.eventTypes.check(type, payload)
  return writeEvent(context, type, payload, tenantId)
}

/** Publishes the change of a row. @param state the values that filters and access rules compare, see `EventState` */
export function publishChange(
  context: Context,
  { type, payload, state }: { type: string; payload: object; state: string | null },
): Promise<string> {
  context.shared.eventTypes.check(type as keyof EventPayloads, payload as never) // checks both
  return storeEvent(context, { type, payload, tenantId: context.tenant.id, state })
}

type EventObserver = (type: string, payload: object) => void

const observers = new WeakMap<Transaction, EventObserver>()

/** Calls the observer for each event of the present transaction, for a dry run. @throws Error outside a transaction */
export function observeEvents({ transaction }: Context, observer: EventObserver): void {
  if (transaction === null) throw new Error('Events were observed outside a transaction.')
  observers.set(transaction, observer)
}

/** Publishes a payload that was validated. @throws like `publish` */
export function writeEvent(
  context: Context,
  type: string,
  payload: object,
  tenantId: string,
): Promise<string> {
  return storeEvent(context, { type, payload, tenantId })
}

interface NewEvent {
  type: string
  payload: object
  tenantId: string
  /** JSON text, see `EventState`. */
  state?: string | null
}

/**
 * Stores an event with a validated payload.
 * @throws Error outside a transaction; ServiceError `invalid` if it is too large
 */
async function storeEvent(
  context: Context,
  { type, payload, tenantId, state = null }: NewEvent,
): Promise<string> {
  const { shared, transaction, transactionDatabase: database } = context
  if (transaction === null || database === null)
    throw new Error(`The event ${type} was published outside a transaction.`)
  observers.get(transaction)?.(type, payload)
  const text = JSON.stringify(payload)
  if (Buffer.byteLength(text) > maxDataBytes) {
    throw invalidField('data', `must not be larger than ${maxDataBytes / 1024} KiB`, {
      code: 'tooLarge',
      parameters: { limit: maxDataBytes / 1024, unit: 'KiB' },
    })
  }
  const { hops, origin } = context
  const id = newEventId()
  await insertEvent(
    new TenantData(tenantId, transaction),
    {
      tenantId,
      id,
      type,
      data: text,
      created_at: now(context),
      hops,
      origin,
      state,
      ...subscriptionSearchTexts(type),
    },
    {
      isInCatalogue: database === shared.catalogueDatabase,
      onPending: () => transaction.afterCommit(() => shared.wakeQueues(tenantId, database)),
    },
  )
  transaction.afterCommit(() => {
    forgetCursor(database, tenantId)
    shared.wakeSubscribers(tenantId)
  })
  return id
}

/**
 * Publishes an event by name. Any user of the tenant may publish an application's own event. An event of the catalogue
 * requires an administrator and a payload that matches its schema.
 * @throws ServiceError `invalid`, `forbidden`
 */
export function publishApplicationEvent(
  context: Context,
  { type, data }: EventInput,
): Promise<PublishedEvent> {
  return inTransaction(context, async (inside) => {
    refuseOtherCase(context, type)
    if (context.shared.eventTypes.has(type)) requireCataloguePublisher(context, type, data)
    return { id: await writeEvent(inside, type, data, context.tenant.id) }
  })
}

/** Refuses a type that differs from a declared one only in case: receivers could mistake one for the other. */
function refuseOtherCase({ shared }: Context, type: string): void {
  const known = shared.eventTypes.nameLike(type)
  if (known !== null && known !== type)
    throw invalidField('type', `differs from ${known} of the catalogue only in case`, 'unknownName')
}

function requireCataloguePublisher({ actor, shared }: Context, type: string, data: object): void {
  if (!isAdmin(actor)) {
    throw refusal('publishingNeedsAdmin')
  }
  const faults = shared.eventTypes.faultsOf(type, data)
  if (faults !== null) throw invalidField('data', `does not match its schema: ${faults}`, 'mismatch')
}

const maxTypeLength = 100

/**
 * Publishes the event of a provider. Characters that event types do not allow become dots (`/`, `:`) or `_`.
 * @throws ServiceError `invalid` for a type of the catalogue, which is reserved for changes of this service
 */
export function publishIncoming(context: Context, name: string, data: object): Promise<string> {
  const type = eventName(name)
  if (type.length > maxTypeLength) {
    throw refusal('eventNameTooLong', { limit: maxTypeLength })
  }
  if (context.shared.eventTypes.nameLike(type) !== null) {
    throw refusal('eventReserved', { type })
  }
  return writeEvent(context, type, data, context.tenant.id)
}

function eventName(text: string): string {
  const words = text.split(/[./:]+/).map((word) => word.replaceAll(/[^A-Za-z0-9_-]/g, '_'))
  return words.filter((word) => word !== '').join('.')
}
