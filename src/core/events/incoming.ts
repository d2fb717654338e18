import type { Context } from '../context.ts'
import { ServiceError } from '../errors.ts'
import { writeEvent } from './publish.ts'

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
