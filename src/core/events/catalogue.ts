/** Every event of the built-in features. Names are `noun.pastVerb`. */
import { type Static, type TSchema, Type } from 'typebox'
import { Nullable, Price, Text, Timestamp, Uuid } from '../schema/schema.ts'
import type { EventAccess } from './event-type.ts'

const name = (example: string) => Text(1, 200, { examples: [example] })
const userName = Text(1, 256, { examples: ['ada'] })
const tenantId = Text(1, 64, { examples: ['acme'] })
const url = Text(1, 2048, {
  description:
    'Scheme and host of the receiver. The rest of the address is omitted, because it may be a secret',
  examples: ['https://example.com'],
})
const order = {
  orderId: Uuid,
  customerId: Text(1, 100, { examples: ['customer-7'] }),
  total: { ...Price, description: 'Exact, at most 4 decimals', examples: [59.97] },
}

export const catalogue = {
  'order.created': type('An order was placed.', order),
  'order.updated': type('What was ordered has changed.', order),
  'order.paid': type('An order was marked as paid.', order),
  'order.cancelled': type('An order was cancelled.', order),

  'product.created': type('A product was created.', {
    productId: Uuid,
    name: name('Walnut desk'),
    price: Price,
  }),
  'product.updated': type('A product was changed.', {
    productId: Uuid,
    name: name('Walnut desk'),
    price: Price,
    isActive: Type.Boolean(),
  }),
  'product.deleted': type('A product was deleted.', { productId: Uuid }),

  'category.created': type('A category was created.', { categoryId: Uuid, name: name('Furniture') }),
  'category.updated': type('A category was changed.', { categoryId: Uuid, name: name('Furniture') }),
  'category.deleted': type('A category was deleted.', { categoryId: Uuid }),

  'user.created': type('A user was created.', { userId: Uuid, userName }, 'admin'),
  'user.updated': type('A user was changed.', { userId: Uuid, userName }, 'admin'),
  'user.deleted': type('A user was deleted.', { userId: Uuid }, 'admin'),

  'tenant.created': type('The tenant was created.', { tenantId, name: name('Acme') }, 'admin'),
  'tenant.updated': type('The tenant was changed.', { tenantId, name: name('Acme') }, 'admin'),
  'tenant.deactivated': type('The tenant was deactivated.', { tenantId }, 'admin'),
  'tenant.reactivated': type('The tenant was activated again.', { tenantId }, 'admin'),
  'tenant.erased': type(
    'A tenant was erased with everything it had; the host tenant is told.',
    { tenantId },
    'admin',
  ),

  'webhook.test': type('Somebody asked for a test delivery; only that subscription gets it.', {
    subscriptionId: Uuid,
  }),
  'webhook.failing': type('A subscription has been failing for days.', {
    subscriptionId: Uuid,
    url,
    failingSince: Timestamp,
  }),
  'webhook.deactivated': type('The service has ended a subscription.', {
    subscriptionId: Uuid,
    url,
    reason: Type.Unsafe<'gone' | 'failing'>({
      type: 'string',
      enum: ['gone', 'failing'],
      description: 'The receiver answered 410, or it failed for days',
    }),
    failingSince: Nullable(Timestamp),
  }),
}

type BuiltIn = { [T in keyof typeof catalogue]: Static<(typeof catalogue)[T]['payload']> }

/**
 * The payload of each event. A feature of your own adds its events by declaration merging, and their schemas by its
 * member `events`.
 */
export interface EventPayloads extends BuiltIn {}

/**
 * Payloads may gain members: receivers ignore members that they do not know.
 * @param access the access of the route that shows the same data
 */
function type<P extends Record<string, TSchema>>(
  summary: string,
  properties: P,
  access: EventAccess = 'user',
) {
  return { summary, payload: Type.Object(properties), access }
}
