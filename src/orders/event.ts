import { Type } from 'typebox'
import type { EventCatalogue, PayloadsOf } from '../core/events/event-type.ts'
import { Price, Text, Uuid } from '../core/schema/schema.ts'

const order = {
  orderId: Uuid,
  customerId: Text(1, 100, { examples: ['customer-7'] }),
  total: { ...Price, description: 'Exact, at most 4 decimals', examples: [59.97] },
}

export const orderEvents = {
  'order.created': { summary: 'An order was placed.', payload: Type.Object(order) },
  'order.updated': { summary: 'An order was changed.', payload: Type.Object(order) },
  'order.paid': { summary: 'An order was marked as paid.', payload: Type.Object(order) },
  'order.cancelled': { summary: 'An order was cancelled.', payload: Type.Object(order) },
} satisfies EventCatalogue

declare module '../core/events/event-type.ts' {
  interface EventPayloads extends PayloadsOf<typeof orderEvents> {}
}
