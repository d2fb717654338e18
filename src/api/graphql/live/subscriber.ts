/** Makes the subscriber of a subscription, with its filter and its rights. */
import type { Actor, Shared } from '../../../core/context.ts'
import { invalidField } from '../../../core/errors.ts'
import type { FollowedRows } from '../../../core/feature/live-source.ts'
import { eachNamed, everything, type Filter } from '../../../database/read/filter.ts'
import { presentReach } from '../../live/caller-rights.ts'
import { maxListBytes } from '../../live/schema.ts'
import { filterOf } from '../argument/where.ts'
import type { Variables } from '../document/variables.ts'
import { decidedRenderer } from './decided-rendering.ts'
import type { DecidedSubscriber } from './decided-subscriber.ts'
import { refusalOf } from './refusal.ts'
import { type RowSubscriber, rowRenderer, type SubscriptionRoot, shapeOf } from './rendering.ts'

interface Caller {
  actor: Actor | null
  shared: Shared
  /** The id of the user, or the network of a client without one. */
  user: string
}

export type NewSubscriber = Omit<RowSubscriber, 'stream'> | Omit<DecidedSubscriber, 'stream'>

/** @throws the reason why the caller may not subscribe, or ServiceError `invalid` for a filter that cannot be followed */
export function subscriberOf(
  root: SubscriptionRoot,
  variables: Variables,
  { actor, shared, user }: Caller,
): NewSubscriber {
  const { as: name, field, selection } = root
  const filter = field.isDecided === true ? followedFilter(root, variables) : everything
  const refusal = refusalOf(root, filter, { actor, shared })
  const refused = refusal()
  if (refused !== null) throw refused
  const subscriber = { user, root, shape: shapeOf(root), refusal }
  if (field.isDecided !== true) return { ...subscriber, renderer: rowRenderer }
  return {
    ...subscriber,
    renderer: decidedRenderer,
    followed: {
      lists: [{ name, source: rowsOf(field), filter, selection }],
      events: [],
    },
    reach: () => presentReach(actor, shared),
    cursorOf: (cursor) => cursor, // a GraphQL client keeps the cursor of the feed itself
  }
}

function rowsOf({ event, entity: model }: SubscriptionRoot['field']): FollowedRows {
  const place = event.lastIndexOf('.')
  return {
    name: event.slice(0, place),
    model,
    changes: new Set([event.slice(place + 1)]),
    complete: async (_context, json) => json,
  }
}

/**
 * Reads the argument `where`. It refuses filters on related rows, because an event keeps only the members of its own row.
 */
function followedFilter(root: SubscriptionRoot, variables: Variables): Filter {
  const where = root.arguments(variables)['where'] as Parameters<typeof filterOf>[1] // the schema admits no other type
  if (where === undefined || where === null) return everything
  if (Buffer.byteLength(JSON.stringify(where)) > maxListBytes)
    throw invalidField('where', `is described by ${maxListBytes} bytes at most`, {
      code: 'tooLarge',
      parameters: { limit: maxListBytes, unit: 'B' },
    })
  const filter = filterOf(root.field.entity, where)
  eachNamed(filter, (named) => {
    if ('entity' in named)
      throw invalidField(
        `where.${named.name}`,
        'is of related rows, by which subscriptions do not filter',
        'notPossible',
      )
  })
  return filter
}
