/** Describes orders for programs that do not know them in advance, such as the console. */
import { SchemaComponents } from '../api/openapi/schema.ts'
import type { EntityDraft, ScalarDraft } from '../core/feature/entity-description.ts'
import { actionHints, orderHints } from './console.ts'
import { orderLabels } from './labels.ts'
import { Order, OrderItem } from './schema.ts'

type FieldDraft = Pick<ScalarDraft, 'name' | 'kind'> & Partial<ScalarDraft>

export function describeOrders(): EntityDraft {
  const [read, write] = ['order:read', 'order:write']
  const transition = (name: 'pay' | 'cancel', status: string, summary: string) => ({
    name,
    console: actionHints[name],
    summary,
    method: 'POST',
    path: `/api/orders/:id/${name}`,
    access: write,
    from: { status: ['PENDING'] },
    to: { status },
    input: null,
  })
  return {
    name: 'order',
    plural: 'orders',
    label: 'order',
    labels: 'orders',
    description: 'What a customer buys, at the prices of that moment.',
    title: 'number',
    isSearched: false,
    sortedBy: ['createdAt', 'number'],
    fields: [
      { ...fieldOf(Order, { name: 'number', kind: 'sequence', isReadOnly: true }), fields: [] },
      { ...fieldOf(Order, { name: 'customerId', kind: 'text', isRequired: true }), fields: [] },
      { ...fieldOf(Order, { name: 'status', kind: 'enum', isReadOnly: true }), fields: [] },
      { ...fieldOf(Order, { name: 'currency', kind: 'text', isNullable: true }), fields: [] },
      { ...fieldOf(Order, { name: 'total', kind: 'money', isReadOnly: true }), fields: [] },
      { ...fieldOf(Order, { name: 'items', kind: 'many', isRequired: true }), fields: itemFields() },
    ],
    operations: {
      list: { method: 'GET', path: '/api/orders', access: read },
      get: { method: 'GET', path: '/api/orders/:id', access: read },
      create: { method: 'POST', path: '/api/orders', access: write },
      change: { method: 'PUT', path: '/api/orders/:id', access: write },
    },
    actions: [
      transition('pay', 'PAID', 'Mark an order as paid'),
      transition('cancel', 'CANCELLED', 'Cancel an order'),
    ],
    isLive: false,
    hasRights: false,
    hasBulk: false,
    hasHistory: false,
    trashDays: null,
    subscriptions: ['onOrderCreated'],
    ...orderHints,
    translations: orderLabels,
  }
}

function itemFields(): ScalarDraft[] {
  const product = { kind: 'reference', relation: 'product', entity: 'product' } as const
  return [
    fieldOf(OrderItem, { name: 'productId', isRequired: true, ...product }),
    fieldOf(OrderItem, { name: 'quantity', kind: 'integer', isRequired: true }),
    fieldOf(OrderItem, { name: 'name', kind: 'text', isReadOnly: true }),
    fieldOf(OrderItem, { name: 'unitPrice', kind: 'money', isReadOnly: true }),
    fieldOf(OrderItem, { name: 'lineTotal', kind: 'money', isReadOnly: true }),
  ]
}

function fieldOf({ properties }: typeof Order | typeof OrderItem, field: FieldDraft): ScalarDraft {
  const { $id: _id, ...schema } = new SchemaComponents().describe(
    properties[field.name as never], // the name of a member
  )
  const { description } = schema
  return {
    isNullable: false,
    isRequired: false,
    isReadOnly: false,
    relation: null,
    entity: null,
    fileTypes: [],
    defaultValue: null,
    description: typeof description === 'string' ? description : null,
    schema,
    ...field,
  }
}
