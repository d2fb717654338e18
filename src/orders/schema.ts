import { type Static, Type } from 'typebox'
import { PageQuery } from '../core/page.ts'
import { Nullable, Price, Text, Timestamp, Uuid } from '../core/schema/schema.ts'

export const orderStatuses = ['PENDING', 'PAID', 'CANCELLED'] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const maxItems = 200

const customerId = Text(1, 100, {
  description: 'Whoever ordered, as your application calls them',
  examples: ['customer-7'],
})
const currency = Nullable(
  Type.String({
    maxLength: 3,
    pattern: '^[A-Z]{3}$',
    description: 'ISO 4217; prices are not converted',
    examples: ['EUR'],
  }),
)
const status = Type.Unsafe<OrderStatus>({
  type: 'string',
  enum: orderStatuses,
  description: 'PENDING until the order is paid or cancelled; both are final',
})
const quantity = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description: 'Pieces of the product',
  examples: [3],
})
const lineTotal = { ...Price, description: '`quantity` × `unitPrice`, exact', examples: [59.97] }

export const OrderItem = Type.Object(
  {
    productId: { ...Uuid, description: 'The product may have been changed or deleted since' },
    name: Text(1, 200, { description: 'As it was when it was ordered', examples: ['Walnut desk'] }),
    quantity,
    unitPrice: { ...Price, description: 'As it was when it was ordered' },
    lineTotal,
  },
  { $id: 'OrderItem', description: 'A product of an order, with what it was and cost at that time.' },
)

export const Order = Type.Object(
  {
    id: { ...Uuid, description: 'Assigned by the service' },
    number: Type.Integer({ minimum: 1, description: 'Counts the orders of the tenant', examples: [1] }),
    customerId,
    status,
    currency,
    total: { ...lineTotal, description: 'The sum of the items, exact' },
    items: Type.Array(OrderItem, { description: 'In the order in which they were given' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'Order', description: 'An order of a tenant.' },
)

const OrderItemInput = Type.Object(
  { productId: { ...Uuid, description: 'A product that is active' }, quantity },
  { $id: 'OrderItemInput', description: 'What is ordered of one product.' },
)

const items = Type.Array(OrderItemInput, {
  minItems: 1,
  maxItems: maxItems,
  description: 'What is ordered; prices and names are copied from the products',
})

export const OrderInput = Type.Object(
  { customerId, items, currency: Type.Optional(currency) },
  { $id: 'OrderInput', description: 'An order to be placed.' },
)

export const OrderUpdate = Type.Object(
  { customerId: Type.Optional(customerId), items: Type.Optional(items), currency: Type.Optional(currency) },
  {
    $id: 'OrderUpdate',
    description: 'What is left out stays as it is. Items replace those of the order, at the prices of now.',
  },
)

export const OrderQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(status),
  customerId: Type.Optional(customerId),
})

export type OrderItem = Static<typeof OrderItem>
export type Order = Static<typeof Order>
export type OrderInput = Static<typeof OrderInput>
export type OrderUpdate = Static<typeof OrderUpdate>

/** With what is stored and not shown. */
export interface StoredOrder extends Order {
  version: number
}
