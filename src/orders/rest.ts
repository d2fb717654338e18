/** The REST routes of orders. */
import { type Static, Type } from 'typebox'
import { preconditionOf, validatorsOf } from '../api/http/reply/condition.ts'
import { listReply } from '../api/http/reply/json-list.ts'
import type { Context } from '../core/context.ts'
import { Reply, type Route, route } from '../core/feature/route.ts'
import { defaultPageSize, PageQuery } from '../core/page.ts'
import { rowPage } from '../database/json-page.ts'
import { listQueryOf, listSelected } from '../entity/list.ts'
import { orderModel } from './model.ts'
import { cancelOrder, getOrder, listOrders, payOrder, placeOrder, updateOrder } from './order.ts'
import { Order, OrderInput, OrderUpdate, orderFilters, type StoredOrder } from './schema.ts'

const common = { tag: 'Orders' } as const
const reading = { ...common, access: 'order:read' } as const
const writing = { ...common, access: 'order:write', impersonation: 'allowed' } as const
const base = '/api/orders'

const list = listQueryOf({ model: orderModel, search: [] })
const plain = { ...PageQuery, ...orderFilters }
const PlainQuery = Type.Object(plain)
const OrderQuery = Type.Object({ ...list.schema.properties, ...orderFilters })

/** Paying and cancelling take no body, and can be repeated with an idempotency key. */
const transition = {
  ...writing,
  method: 'POST',
  reply: Order,
  headers: ['etag', 'last-modified'],
  errors: ['invalid', 'notFound'],
  conditional: true,
  idempotent: true,
} as const

export const orderRoutes: Route[] = [
  route({
    ...reading,
    method: 'GET',
    path: base,
    summary: 'List orders',
    description: `Lists one page of orders, in the order of creation unless \`sort\` is given; its \`Link\` header leads to the next. A page has ${defaultPageSize} orders unless \`limit\` is given.`,
    query: OrderQuery,
    refusesUnknownParameters: true,
    reply: Type.Array(Order),
    errors: ['tooManyRequests'],
    headers: ['etag', 'link'],
    handle: (context, { query }) =>
      isPlain(query)
        ? plainList(context, query)
        : listSelected(context, query, list, { path: base, model: orderModel }),
  }),
  route({
    ...reading,
    method: 'GET',
    path: `${base}/:id`,
    summary: 'Get an order',
    description: 'Send its `ETag` in `If-Match` to change it.',
    reply: Order,
    headers: ['etag', 'last-modified'],
    errors: ['notFound'],
    handle: async (context, { path }) => tagged(await getOrder(context, path.id)),
  }),
  route({
    ...writing,
    method: 'POST',
    path: base,
    summary: 'Place an order',
    description:
      'Copies names and prices of the products. Later changes of the products do not affect the order.',
    body: OrderInput,
    status: 201,
    reply: Order,
    headers: ['etag', 'last-modified', 'location'],
    idempotent: true,
    handle: async (context, { body }) => {
      const order = await placeOrder(context, body)
      return tagged(order, { location: `${base}/${order.id}` })
    },
  }),
  route({
    ...writing,
    method: 'PUT',
    path: `${base}/:id`,
    summary: 'Change an order',
    description: 'Only a PENDING order can be changed.',
    body: OrderUpdate,
    reply: Order,
    headers: ['etag', 'last-modified'],
    errors: ['notFound'],
    conditional: true,
    handle: async (context, { path, body, headers }) =>
      tagged(await updateOrder(context, path.id, body, preconditionOf(headers))),
  }),
  route({
    ...transition,
    path: `${base}/:id/pay`,
    summary: 'Mark an order as paid',
    description: 'From PENDING to PAID.',
    handle: async (context, { path, headers }) =>
      tagged(await payOrder(context, path.id, preconditionOf(headers))),
  }),
  route({
    ...transition,
    path: `${base}/:id/cancel`,
    summary: 'Cancel an order',
    description: 'From PENDING to CANCELLED.',
    handle: async (context, { path, headers }) =>
      tagged(await cancelOrder(context, path.id, preconditionOf(headers))),
  }),
]

/** Without a sort, chosen members and further filters, one prepared statement reads the list. */
function isPlain(query: object): query is Static<typeof PlainQuery> {
  return Object.keys(query).every((name) => name === 'tenant' || Object.hasOwn(plain, name))
}

function plainList(context: Context, { status, customerId, ...query }: Static<typeof PlainQuery>) {
  const filter = { ...(status && { status }), ...(customerId && { customerId }) }
  const page = { limit: defaultPageSize, ...query, ...filter }
  return listReply(context, base, page, async (range) => {
    const { orders, isCut } = await listOrders(context, { ...range, ...filter })
    return { ...rowPage(orders.map(({ version: _version, ...order }) => order)), isCut }
  })
}

function tagged(order: StoredOrder, headers: Record<string, string> = {}): Reply {
  return new Reply(order, { ...validatorsOf(order), ...headers })
}
