import type { Context } from '../context.ts'
import { invalidField } from '../errors.ts'
import { inTransaction } from '../transaction.ts'
import { writeEvent } from './publish.ts'
import type { EventInput, PublishedEvent } from './schema.ts'

/**
 * Publishes an event of an application's own. Any user of the tenant may do it. Names of the catalogue are refused:
 * such an event says that the service itself has done something.
 * @throws ServiceError `invalid`
 */
export function publishApplicationEvent(
  context: Context,
  { type, data }: EventInput,
): Promise<PublishedEvent> {
  return inTransaction(context, async (inside) => {
    if (context.shared.eventTypes.has(type)) throw invalidField('type', 'is an event of the service itself')
    return { id: await writeEvent(inside, type, data, context.tenant.id) }
  })
}
