import { Reply, type Route, route } from '../../../core/feature/route.ts'
import { subscriptions } from '../../subscriptions/readable.ts'
import { ofSubscriptions } from './filter.ts'
import { getDelivery } from './log.ts'
import { deliveries } from './readable.ts'
import { recoverSubscription, replayDelivery, testSubscription } from './replay.ts'
import { Delivery, DeliveryWithAttempts, Recovery, RecoveryReport } from './schema.ts'

const common = { tag: 'Webhooks', inPortal: true } as const
const reading = { ...common, access: 'webhook:read' } as const
const writing = { ...common, access: 'webhook:write' } as const
const subscription = '/api/webhooks/subscriptions/:id'
const base = '/api/webhooks/deliveries'

export const deliveryRoutes: Route[] = [
  deliveries.list,
  deliveries.listUnder({
    path: `${subscription}/deliveries`,
    summary: 'List the deliveries of a subscription, newest first',
    description: 'The parameters filter the list, which is always paged.',
    errors: ['notFound'],
    within: async (context, path) => {
      const { id } = await subscriptions.show(context, path['id'] ?? '')
      return ofSubscriptions([id])
    },
  }),
  route({
    ...reading,
    method: 'GET',
    path: `${base}/:id`,
    summary: 'Get a delivery with its event and every attempt',
    description:
      'Each attempt has the sent headers, the status and the beginning of the response, its duration, and its error.',
    reply: DeliveryWithAttempts,
    errors: ['notFound'],
    handle: (context, { path }) => getDelivery(context, path.id),
  }),
  route({
    ...writing,
    method: 'POST',
    path: `${base}/:id/replay`,
    summary: 'Send the event of a delivery again',
    description: 'Creates a new delivery with the whole retry schedule.',
    status: 202,
    reply: Delivery,
    headers: ['location'],
    errors: ['notFound'],
    idempotent: true,
    handle: async (context, { path }) => accepted(await replayDelivery(context, path.id)),
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
    handle: (context, { path, body }) => recoverSubscription(context, path.id, body),
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
    handle: async (context, { path }) => accepted(await testSubscription(context, path.id)),
  }),
]

function accepted(delivery: Delivery): Reply {
  return new Reply(delivery, { location: `${base}/${delivery.id}` })
}
