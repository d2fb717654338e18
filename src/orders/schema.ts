/** The fields of orders and of their items, and the schemas and table types that follow from them. */
import { type Static, Type } from 'typebox'
import { Timestamp, Uuid } from '../core/schema/schema.ts'
import type { TenantColumn } from '../database/scope.ts'
import { type ColumnsOf, DeclaredFields } from '../entity/declared.ts'
import { Field, integer, money, oneOf, sequence, text } from '../entity/field.ts'

const fields = {
  number: sequence().describe('Sequential number of the order within the tenant'),
  customerId: text({ max: 100, examples: ['customer-7'] }).describe(
    'The id of the customer in your application',
  ),
  status: oneOf('PENDING', 'PAID', 'CANCELLED')
    .readOnly()
    .describe('Pending until the order is paid or cancelled, and then final'),
  // Made by hand, because `text` would trim the code and give its schema a minimum length.
  currency: new Field<string, 'required', 'text'>({
    kind: 'text',
    presence: 'required',
    isNullable: false,
    schema: Type.String({ maxLength: 3, pattern: '^[A-Z]{3}$', examples: ['EUR'] }),
  })
    .optional()
    .describe('A code of ISO 4217, such as `EUR`. Prices are not converted'),
  total: money({ examples: [59.97] })
    .computed()
    .describe('The sum of the items, exact'),
}

const itemFields = {
  // No foreign key: the product may be deleted.
  product: new Field<string, 'required', 'reference'>({
    kind: 'reference',
    presence: 'required',
    isNullable: false,
    schema: { ...Uuid },
  }).describe('The product, which may have been changed or deleted since'),
  name: text({ examples: ['Walnut desk'] })
    .readOnly()
    .describe('As of the time of the order'),
  quantity: integer({ min: 1, max: 1_000_000 }).describe('The number of pieces'),
  unitPrice: money().readOnly().describe('As of the time of the order'),
  lineTotal: money({ examples: [59.97] })
    .computed()
    .describe('The quantity times the unit price, exact'),
}

export const orderFields = new DeclaredFields('order', fields)
export const orderItemFields = new DeclaredFields('order.items', itemFields)

export const maxItems = 200

export const OrderItem = Type.Object(orderItemFields.row, {
  $id: 'OrderItem',
  description: 'An item of an order, with the name and price of the product at that time.',
})

export const Order = Type.Object(
  {
    id: { ...Uuid, description: 'Assigned by the service' },
    ...orderFields.row,
    items: Type.Array(OrderItem, { description: 'In the order of the request' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'Order', description: 'What a customer buys, at the prices of that moment.' },
)

const OrderItemInput = Type.Object(
  { ...orderItemFields.input, productId: { ...Uuid, description: 'An active product' } },
  { $id: 'OrderItemInput', description: 'A product and its quantity.' },
)

const items = Type.Array(OrderItemInput, {
  minItems: 1,
  maxItems: maxItems,
  description: 'The ordered items. Prices and names are copied from the products',
})

export const OrderInput = Type.Object(
  { ...orderFields.input, items },
  { $id: 'OrderInput', description: 'A new order.' },
)

export const OrderUpdate = Type.Object(
  { ...orderFields.change, items: Type.Optional(items) },
  {
    $id: 'OrderUpdate',
    description: 'Omitted members stay unchanged. New items replace those of the order, at current prices.',
  },
)

/** The filters of the list, as far as a prepared statement has them. */
export const orderFilters = {
  status: Type.Optional(orderFields.row.status),
  customerId: Type.Optional(orderFields.row.customerId),
}

export type OrderStatus = Order['status']
export type OrderItem = Static<typeof OrderItem>
export type Order = Static<typeof Order>
export type OrderInput = Static<typeof OrderInput>
export type OrderUpdate = Static<typeof OrderUpdate>

/** An order with the members that are stored but not shown. */
export interface StoredOrder extends Order {
  version: number
}

type OrderTable = {
  tenant_id: TenantColumn
  id: string
  created_at: string
  updated_at: string
  version: number
} & ColumnsOf<typeof fields>

/** The row of an item has copies of the product's name and price at the time of ordering. */
type OrderItemTable = { tenant_id: TenantColumn; order_id: string; position: number } & ColumnsOf<
  typeof itemFields
>

/** The last order number of the tenant. */
export interface OrderCountTable {
  tenant_id: TenantColumn
  last: number
}

declare module '../database/tenant-tables.ts' {
  interface TenantTables {
    sales_order: OrderTable
    sales_order_item: OrderItemTable
    order_count: OrderCountTable
  }
}
