import { Type } from 'typebox'
import type { EventCatalogue, PayloadsOf } from '../core/events/event-type.ts'
import { Uuid } from '../core/schema/schema.ts'
import { orderFields } from './schema.ts'

const { customerId, total } = orderFields.row
const access = 'order:read'
const order = { orderId: Uuid, customerId, total }

export const orderEvents = {
  'order.created': { summary: 'An order was placed.', payload: Type.Object(order), access },
  'order.updated': { summary: 'An order was changed.', payload: Type.Object(order), access },
  'order.paid': { summary: 'An order was marked as paid.', payload: Type.Object(order), access },
  'order.cancelled': { summary: 'An order was cancelled.', payload: Type.Object(order), access },
} satisfies EventCatalogue

declare module '../core/events/event-type.ts' {
  interface EventPayloads extends PayloadsOf<typeof orderEvents> {}
}
