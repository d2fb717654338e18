import { preconditionOf, validatorsOf } from '../../api/http/reply/condition.ts'
import { reportUnknownNames } from '../../api/http/request/unknown-name.ts'
import type { Context } from '../../core/context.ts'
import { Reply, type Route, route } from '../../core/feature/route.ts'
import type { AddressPolicy } from '../../core/outgoing/ip-address.ts'
import { subscriptions } from './readable.ts'
import {
  SecretRotation,
  type StoredSubscription,
  Subscription,
  SubscriptionInput,
  SubscriptionUpdate,
} from './schema.ts'
import { createSubscription, deleteSubscription, rotateSecret, updateSubscription } from './subscription.ts'

const writing = { tag: 'Webhooks', inPortal: true, access: 'webhook:write' } as const
const base = '/api/webhooks/subscriptions'

export function subscriptionRoutes(policy: AddressPolicy): Route[] {
  return [
    subscriptions.list,
    subscriptions.get,
    registration(base, policy),
    registration('/api/v1/webhooks', policy),
    ...changingRoutes(policy),
  ]
}

function registration(path: string, policy: AddressPolicy): Route {
  return route({
    ...writing,
    method: 'POST',
    path,
    ...(path === base
      ? { summary: 'Subscribe to events' }
      : { summary: 'Subscribe to events, at the alternative path', name: 'registerWebhook' }),
    description:
      'Only this reply shows the secret. Each matching event whose row you may read is signed, sent to the address, and retried after a failure. Whether you still may is checked for each delivery.',
    body: SubscriptionInput,
    status: 201,
    reply: Subscription,
    headers: ['etag', 'last-modified', 'location', 'unknown-names'],
    secret: true,
    idempotent: true,
    handle: async (context, { body, strict }) => {
      const unknown = reportUnknownEvents(context, body.events, strict)
      const subscription = await createSubscription(context, body, policy)
      return tagged(subscription, { location: `${base}/${subscription.id}`, ...unknown })
    },
  })
}

function changingRoutes(policy: AddressPolicy): Route[] {
  return [
    route({
      ...writing,
      method: 'PATCH',
      path: `${base}/:id`,
      summary: 'Change, pause or resume a subscription',
      description:
        '`isActive: false` pauses it, and its deliveries wait. `isActive: true` resumes it, also after a deactivation by the service. Another host in `url` requires the values of `headers` again. Whoever names `events` becomes the owner of the subscription.',
      body: SubscriptionUpdate,
      reply: Subscription,
      headers: ['etag', 'last-modified', 'unknown-names'],
      errors: ['notFound'],
      conditional: true,
      handle: async (context, { path, body, headers, strict }) => {
        const precondition = preconditionOf(headers)
        const unknown = reportUnknownEvents(context, body.events ?? [], strict)
        const changed = await updateSubscription(context, path.id, body, { precondition, policy })
        return tagged(changed, unknown)
      },
    }),
    route({
      ...writing,
      method: 'DELETE',
      path: `${base}/:id`,
      summary: 'Delete a subscription',
      description: 'Waiting deliveries are no longer sent.',
      status: 204,
      errors: ['notFound'],
      conditional: true,
      handle: (context, { path, headers }) => deleteSubscription(context, path.id, preconditionOf(headers)),
    }),
    route({
      ...writing,
      method: 'POST',
      path: `${base}/:id/rotate-secret`,
      summary: 'Replace the secret of a subscription',
      description:
        'Only this reply shows the new secret. Until the overlap ends, the former secrets sign each delivery as well, so ' +
        'that no verification fails meanwhile.',
      body: SecretRotation,
      bodyOptional: true,
      reply: Subscription,
      headers: ['etag', 'last-modified'],
      errors: ['notFound'],
      secret: true,
      idempotent: true,
      handle: async (context, { path, body }) => tagged(await rotateSecret(context, path.id, body ?? {})),
    }),
  ]
}

function reportUnknownEvents(context: Context, events: readonly string[], strict: boolean) {
  const given = events.map((event, index) => [`/events/${index}`, event] as const)
  return reportUnknownNames(context, given, { declared: context.shared.eventTypes.declared, strict })
}

function tagged(subscription: StoredSubscription, headers: Record<string, string> = {}): Reply {
  return new Reply(subscription, { ...validatorsOf(subscription), ...headers })
}
