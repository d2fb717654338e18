import { type Static, Type } from 'typebox'
import { Nullable, Price, Text, Timestamp, Uuid } from '../core/schema/schema.ts'

export const orderStatuses = ['PENDING', 'PAID', 'CANCELLED'] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const maxItems = 200

const customerId = Text(1, 100, {
  description: 'The id of the customer in your application',
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
  description: '`PENDING` until the order is paid or cancelled. Both states are final',
})
const quantity = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description: 'The number of pieces',
  examples: [3],
})
const lineTotal = { ...Price, description: '`quantity` × `unitPrice`, exact', examples: [59.97] }

export const OrderItem = Type.Object(
  {
    productId: { ...Uuid, description: 'The product, which may have been changed or deleted since' },
    name: Text(1, 200, { description: 'As of the time of the order', examples: ['Walnut desk'] }),
    quantity,
    unitPrice: { ...Price, description: 'As of the time of the order' },
    lineTotal,
  },
  {
    $id: 'OrderItem',
    description: 'An item of an order, with the name and price of the product at that time.',
  },
)

export const Order = Type.Object(
  {
    id: { ...Uuid, description: 'Assigned by the service' },
    number: Type.Integer({
      minimum: 1,
      description: 'Sequential number of the order within the tenant',
      examples: [1],
    }),
    customerId,
    status,
    currency,
    total: { ...lineTotal, description: 'The sum of the items, exact' },
    items: Type.Array(OrderItem, { description: 'In the order of the request' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'Order', description: 'An order of a tenant.' },
)

const OrderItemInput = Type.Object(
  { productId: { ...Uuid, description: 'An active product' }, quantity },
  { $id: 'OrderItemInput', description: 'A product and its quantity.' },
)

const items = Type.Array(OrderItemInput, {
  minItems: 1,
  maxItems: maxItems,
  description: 'The ordered items. Prices and names are copied from the products',
})

export const OrderInput = Type.Object(
  { customerId, items, currency: Type.Optional(currency) },
  { $id: 'OrderInput', description: 'A new order.' },
)

export const OrderUpdate = Type.Object(
  { customerId: Type.Optional(customerId), items: Type.Optional(items), currency: Type.Optional(currency) },
  {
    $id: 'OrderUpdate',
    description: 'Omitted members stay unchanged. New items replace those of the order, at current prices.',
  },
)

/** The parameters of the list that no other one has. */
export const orderFilters = { status: Type.Optional(status), customerId: Type.Optional(customerId) }

export type OrderItem = Static<typeof OrderItem>
export type Order = Static<typeof Order>
export type OrderInput = Static<typeof OrderInput>
export type OrderUpdate = Static<typeof OrderUpdate>

/** With members that are stored but not shown. */
export interface StoredOrder extends Order {
  version: number
}
