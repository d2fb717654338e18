/**
 * The list of deliveries, in REST and GraphQL, and which of them a caller may see.
 * `log.ts` adds event and attempts.
 */
import { Type } from 'typebox'
import type { Context } from '../../../core/context.ts'
import { narrowed } from '../../../database/read/conditions.ts'
import type { Filter, MatchingRows } from '../../../database/read/filter.ts'
import { reachedRow } from '../../../database/row-event.ts'
import { readable } from '../../../entity/readable.ts'
import { type Sight, sightOf } from '../../subscriptions/access.ts'
import { subscriptionsInReach } from '../../subscriptions/reach.ts'
import { indexBounds, ofSubscriptions, ofTypes, withoutTypes } from './filter.ts'
import { periodBounds, periodParameters } from './period.ts'
import { Delivery } from './schema.ts'
import { deliveryFrom, nextAttemptAt, type ReachedTypes, shownStatus } from './sql.ts'

export const deliveries = readable({
  name: 'webhookDelivery',
  plural: 'webhookDeliveries',
  type: 'WebhookDelivery',
  label: 'delivery',
  row: Delivery,
  table: 'delivery',
  path: '/api/webhooks/deliveries',
  tag: 'Webhooks',
  access: 'webhook:read',
  inPortal: true, // sessions of the embedded pages, for customers of a tenant, may read it
  isNewestFirst: true,
  filters: ['subscriptionId', 'eventType', 'status', 'createdAt'],
  parameters: {
    subscriptionId: {
      schema: Type.Optional(
        Type.String({ format: 'uuid', description: 'Only deliveries of this subscription' }),
      ),
      takesMe: false, // `me` is a text like any other
      read: (given) => ofSubscriptions([String(given).toLowerCase()]),
    },
    ...periodParameters({ since: 'Created at this time or later', until: 'Created before this time' }),
  },
  members: {
    status: { derived: shownStatus },
    nextAttemptAt: { derived: nextAttemptAt },
  },
  declared: { member: 'eventType', names: ({ eventTypes }) => eventTypes.declared },
  reach: async (context, request) => withBounds(context, request, await deliveriesInReach(context)),
  documents: {
    list: {
      summary: 'List deliveries, newest first',
      description:
        'Lists deliveries of your subscriptions, or as an administrator of all of the tenant. The parameters filter the list, which is always paged.',
    },
  },
})

/**
 * @returns the deliveries of the subscriptions and the events that the actor reaches; `null` for all of the tenant
 */
export async function deliveriesInReach(context: Context): Promise<Filter | null> {
  const visible = await visibleDeliveries(context)
  const subscriptionIds = await subscriptionsInReach(context)
  return subscriptionIds === null ? visible : narrowed(ofSubscriptions(subscriptionIds), visible)
}

/** @returns the deliveries of events that the actor may see; `null` for all */
async function visibleDeliveries(context: Context): Promise<Filter | null> {
  const sight = await sightOf(context)
  const visible = sight.hidden.length === 0 ? null : withoutTypes(sight.hidden)
  if (sight.byRow.length === 0) return visible
  const { dialect } = context.data.executor
  const reached = reachedTypes(context, sight).map((each) =>
    narrowed(ofTypes(each.types), reachedRow(each, dialect)),
  )
  return narrowed({ kind: 'or', parts: [withoutTypes(sight.byRow), ...reached] }, visible)
}

/** Groups the types whose events the actor sees only for rows that it may read, by the table of these rows. */
export function reachedTypes({ shared: { eventTypes } }: Context, { byRow, reach }: Sight): ReachedTypes[] {
  const known = byRow.flatMap((type) => {
    const rows = eventTypes.rowsOf(type)
    return rows === null ? [] : [{ type, rows }]
  })
  return [...Map.groupBy(known, ({ rows }) => rows.table).values()].flatMap((all) => {
    const [first] = all
    return first === undefined ? [] : [{ types: all.map(({ type }) => type), rows: first.rows, reach }]
  })
}

/** Adds conditions that follow from the request, so that an index serves it. */
async function withBounds(
  context: Context,
  request: MatchingRows,
  within: Filter | null,
): Promise<Filter | null> {
  const { data } = context
  const bounds = [...indexBounds(data, request), ...(await periodBounds(data, request, deliveryFrom))]
  return bounds.length === 0 ? within : narrowed({ kind: 'and', parts: bounds }, within)
}
