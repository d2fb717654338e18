import { Type } from 'typebox'
import { product } from '../catalog/product/product.ts'
import type { EventPayloads } from '../core/events/event-type.ts'
import { type GraphQLPart, mutation } from '../core/feature/field.ts'
import { Uuid } from '../core/schema/schema.ts'
import { readModel } from '../database/read/read-model.ts'
import { cancelOrder, payOrder, placeOrder, updateOrder } from './order.ts'
import { maxItems, Order, OrderInput, OrderItem, OrderUpdate } from './schema.ts'

const itemEntity = readModel(OrderItem, {
  table: 'sales_order_item',
  key: { order_id: 'uuid', position: 'integer' },
  relations: {
    product: {
      kind: 'one',
      entity: product.model,
      on: { id: 'product_id' },
      description: 'The current product, or null if it was deleted',
    },
  },
})

const orderEntity = readModel(Order, {
  table: 'sales_order',
  indexes: [['createdAt'], ['number']],
  relations: {
    items: {
      kind: 'many',
      entity: itemEntity,
      on: { order_id: 'id' },
      max: maxItems,
      description: 'In the order of the request',
    },
  },
})

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
      entity: orderEntity,
      description: 'Matching orders, in the order of creation by default.',
    },
    ordersAggregate: {
      access: 'order:read',
      kind: 'aggregate',
      entity: orderEntity,
      description: 'Numbers of the matching orders, by group.',
    },
    order: {
      access: 'order:read',
      kind: 'one',
      entity: orderEntity,
      description: 'The order with this id, or null.',
    },
  },
  mutations: {
    createOrder: mutation({
      access: 'order:write',
      entity: orderEntity,
      description: 'Places an order. Names and prices of the products are copied.',
      args: { input: CreateOrderInput },
      run: async (inside, { input }) => (await placeOrder(inside, input)).id,
    }),
    updateOrder: mutation({
      access: 'order:write',
      entity: orderEntity,
      description: 'Changes an order that is PENDING.',
      args: { id: Uuid, input: UpdateOrderInput },
      run: async (inside, { id, input }) => (await updateOrder(inside, id, input, null)).id,
    }),
    payOrder: mutation({
      access: 'order:write',
      entity: orderEntity,
      description: 'Marks an order as paid: from PENDING to PAID.',
      args: { id: Uuid },
      run: async (inside, { id }) => (await payOrder(inside, id, null)).id,
    }),
    cancelOrder: mutation({
      access: 'order:write',
      entity: orderEntity,
      description: 'Cancels an order: from PENDING to CANCELLED.',
      args: { id: Uuid },
      run: async (inside, { id }) => (await cancelOrder(inside, id, null)).id,
    }),
  },
  subscriptions: {
    onOrderCreated: {
      access: 'order:read',
      event: 'order.created',
      entity: orderEntity,
      description: 'Each created order, in the order of the commits.',
      idOf: ({ orderId }: EventPayloads['order.created']) => orderId,
    },
  },
}
