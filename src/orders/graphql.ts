/** The GraphQL fields of orders. */
import { Type } from 'typebox'
import type { EventPayloads } from '../core/events/event-type.ts'
import { type GraphQLPart, mutation } from '../core/feature/field.ts'
import { Uuid } from '../core/schema/schema.ts'
import { orderModel } from './model.ts'
import { cancelOrder, payOrder, placeOrder, updateOrder } from './order.ts'
import { OrderInput, OrderUpdate } from './schema.ts'

const CreateOrderInput = Type.Object(OrderInput.properties, { $id: 'CreateOrderInput' })
const UpdateOrderInput = Type.Object(OrderUpdate.properties, {
  $id: 'UpdateOrderInput',
  description: 'Omitted members stay unchanged. New items replace those of the order, at current prices.',
})

export const orderGraphQL: GraphQLPart = {
  queries: {
    orders: {
      access: 'order:read',
      kind: 'connection',
      entity: orderModel,
      description: 'Matching orders, in the order of creation by default.',
    },
    ordersAggregate: {
      access: 'order:read',
      kind: 'aggregate',
      entity: orderModel,
      description: 'Numbers of the matching orders, by group.',
    },
    order: {
      access: 'order:read',
      kind: 'one',
      entity: orderModel,
      description: 'The order with this id, or null.',
    },
  },
  mutations: {
    createOrder: mutation({
      access: 'order:write',
      impersonation: 'allowed',
      entity: orderModel,
      description: 'Places an order. Names and prices of the products are copied.',
      args: { input: CreateOrderInput },
      run: async (inside, { input }) => (await placeOrder(inside, input)).id,
    }),
    updateOrder: mutation({
      access: 'order:write',
      impersonation: 'allowed',
      entity: orderModel,
      description: 'Changes an order that is PENDING.',
      args: { id: Uuid, input: UpdateOrderInput },
      run: async (inside, { id, input }) => (await updateOrder(inside, id, input, null)).id,
    }),
    payOrder: mutation({
      access: 'order:write',
      impersonation: 'allowed',
      entity: orderModel,
      description: 'Marks an order as paid: from PENDING to PAID.',
      args: { id: Uuid },
      run: async (inside, { id }) => (await payOrder(inside, id, null)).id,
    }),
    cancelOrder: mutation({
      access: 'order:write',
      impersonation: 'allowed',
      entity: orderModel,
      description: 'Cancels an order: from PENDING to CANCELLED.',
      args: { id: Uuid },
      run: async (inside, { id }) => (await cancelOrder(inside, id, null)).id,
    }),
  },
  subscriptions: {
    onOrderCreated: {
      access: 'order:read',
      event: 'order.created',
      entity: orderModel,
      description: 'Each created order, in the order of the commits.',
      idOf: ({ orderId }: EventPayloads['order.created']) => orderId,
    },
  },
}
