import { Type } from 'typebox'
import { pageReply } from '../../../api/http/reply/link.ts'
import { reportUnknownNames } from '../../../api/http/request/unknown-name.ts'
import type { Context } from '../../../core/context.ts'
import { Reply, type Route, route } from '../../../core/feature/route.ts'
import { defaultPageSize } from '../../../core/page.ts'
import { getDelivery, listDeliveries, listDeliveriesOf } from './log.ts'
import { recoverSubscription, replayDelivery, testSubscription } from './replay.ts'
import {
  Delivery,
  DeliveryQuery,
  DeliveryQueryOfSubscription,
  DeliveryWithAttempts,
  Recovery,
  RecoveryReport,
} from './schema.ts'

const common = { tag: 'Webhooks', inPortal: true } as const
const reading = { ...common, access: 'webhook:read' } as const
const writing = { ...common, access: 'webhook:write' } as const
const subscription = '/api/webhooks/subscriptions/:id'
const deliveries = '/api/webhooks/deliveries'

export const deliveryRoutes: Route[] = [
  route({
    ...reading,
    method: 'GET',
    path: deliveries,
    summary: 'List deliveries, newest first',
    description:
      'Lists deliveries of your subscriptions, or as an administrator of all of the tenant. The parameters filter the list, which is always paged.',
    query: DeliveryQuery,
    status: 200,
    reply: Type.Array(Delivery),
    headers: ['link', 'unknown-names'],
    handle: async (context, { query, strict }) => {
      const unknown = reportUnknownType(context, query.eventType, strict)
      const page = await listDeliveries(context, { ...query, limit: query.limit ?? defaultPageSize })
      return pageReply(deliveries, query, page, unknown)
    },
  }),
  route({
    ...reading,
    method: 'GET',
    path: `${subscription}/deliveries`,
    summary: 'List the deliveries of a subscription, newest first',
    description: 'The parameters filter the list, which is always paged.',
    query: DeliveryQueryOfSubscription,
    status: 200,
    reply: Type.Array(Delivery),
    headers: ['link', 'unknown-names'],
    errors: ['notFound'],
    handle: async (context, { path, query, strict }) => {
      const id = path['id'] ?? ''
      const unknown = reportUnknownType(context, query.eventType, strict)
      const page = await listDeliveriesOf(context, id, { ...query, limit: query.limit ?? defaultPageSize })
      return pageReply(`${subscription.replace(':id', id)}/deliveries`, query, page, unknown)
    },
  }),
  route({
    ...reading,
    method: 'GET',
    path: `${deliveries}/:id`,
    summary: 'Get a delivery with its event and every attempt',
    description:
      'Each attempt has the sent headers, the status and the beginning of the response, its duration, and its error.',
    status: 200,
    reply: DeliveryWithAttempts,
    errors: ['notFound'],
    handle: (context, { path }) => getDelivery(context, path['id'] ?? ''),
  }),
  route({
    ...writing,
    method: 'POST',
    path: `${deliveries}/:id/replay`,
    summary: 'Send the event of a delivery again',
    description: 'Creates a new delivery with the whole retry schedule.',
    status: 202,
    reply: Delivery,
    headers: ['location'],
    errors: ['notFound'],
    idempotent: true,
    handle: async (context, { path }) => accepted(await replayDelivery(context, path['id'] ?? '')),
  }),
  route({
    ...writing,
    method: 'POST',
    path: `${subscription}/recover`,
    summary: 'Send dead and kept deliveries since a moment again',
    name: 'recoverWebhookDeliveries',
    description:
      'Their retry schedule begins again. While the subscription is not active, they wait. One request recovers the ' +
      'oldest 10 000. `next` in the reply continues after them.',
    body: Recovery,
    status: 202,
    reply: RecoveryReport,
    errors: ['notFound'],
    handle: (context, { path, body }) => recoverSubscription(context, path['id'] ?? '', body),
  }),
  route({
    ...writing,
    method: 'POST',
    path: `${subscription}/test`,
    summary: 'Send the event `webhook.test` to a subscription',
    description: 'The subscription may be paused, and need not name the event.',
    status: 202,
    reply: Delivery,
    headers: ['location'],
    errors: ['notFound'],
    idempotent: true,
    handle: async (context, { path }) => accepted(await testSubscription(context, path['id'] ?? '')),
  }),
]

function accepted(delivery: Delivery): Reply {
  return new Reply(delivery, { location: `${deliveries}/${delivery.id}` })
}

function reportUnknownType(context: Context, type: string | undefined, strict: boolean) {
  const given = type === undefined ? [] : [['/eventType', type] as const]
  return reportUnknownNames(context, given, { declared: context.shared.eventTypes.declared, strict })
}
