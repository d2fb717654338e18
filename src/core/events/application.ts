import type { Context } from '../context.ts'
import { invalidField, ServiceError } from '../errors.ts'
import { inTransaction } from '../transaction.ts'
import { writeEvent } from './publish.ts'
import type { EventInput, PublishedEvent } from './schema.ts'

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
