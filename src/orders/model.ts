/** The read model of orders: what the list and GraphQL can read from their tables. */
import { product } from '../catalog/product/product.ts'
import { readModel } from '../database/read/read-model.ts'
import { maxItems, Order, OrderItem } from './schema.ts'

const itemModel = readModel(OrderItem, {
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

export const orderModel = readModel(Order, {
  table: 'sales_order',
  indexes: [['createdAt'], ['number']],
  relations: {
    items: {
      kind: 'many',
      entity: itemModel,
      on: { order_id: 'id' },
      max: maxItems,
      description: 'In the order of the request',
    },
  },
})
