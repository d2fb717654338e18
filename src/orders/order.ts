/** Operations on orders. */

import { type Context, now } from '../core/context.ts'
import { refusal } from '../core/errors.ts'
import { publish } from '../core/events/publish.ts'
import { newId } from '../core/id.ts'
import { CallerTime } from '../core/limits/caller-time.ts'
import { placeAfter } from '../core/page.ts'
import type { Precondition } from '../core/precondition.ts'
import { inTransaction } from '../core/transaction.ts'
import { type PricedItems, priceItems } from './price.ts'
import { toItemRows, toOrderRow, toOrders } from './row.ts'
import {
  type OrderInput,
  type OrderStatus,
  type OrderUpdate,
  orderFields,
  type StoredOrder,
} from './schema.ts'
import {
  deleteItems,
  findOrderLines,
  insertItems,
  insertOrder,
  lockOrderRow,
  maxLines,
  nextOrderNumber,
  type OrderPageRange,
  orderLinePage,
  replaceOrder,
} from './sql.ts'

/**
 * A page of orders, in the order of creation.
 * @param range `after`: the id of an order, or empty for the first page
 * @returns `isCut`: the page has fewer orders than the limit although more exist
 * @throws ServiceError `invalid` if `after` is no id
 */
export async function listOrders(
  context: Context,
  range: OrderPageRange,
): Promise<{ orders: StoredOrder[]; isCut: boolean }> {
  const lines = await orderLinePage(
    context.data,
    { ...range, after: placeAfter(range.after) },
    new CallerTime(context),
  )
  const orders = toOrders(lines)
  const isCut = lines.length === maxLines
  return { orders: isCut ? orders.slice(0, -1) : orders, isCut }
}

/** @throws ServiceError `notFound` */
export async function getOrder(context: Context, id: string): Promise<StoredOrder> {
  const [order] = toOrders(await findOrderLines(context.data, id))
  if (order === undefined) throw refusal('noSuch', { label: 'order' })
  return order
}

/** @throws ServiceError `invalid`, naming the items that cannot be ordered */
export function placeOrder(context: Context, input: OrderInput): Promise<StoredOrder> {
  return inTransaction(context, async (inside) => {
    const priced = await priceItems(inside, input.items)
    // Orders of one tenant are serialized here. Id and moment are taken afterwards, so that all have one order.
    const number = await nextOrderNumber(inside.data)
    const moment = now(context)
    const order: StoredOrder = {
      id: newId(),
      number,
      ...orderFields.given(input),
      status: 'PENDING',
      ...priced,
      createdAt: moment,
      updatedAt: moment,
      version: 1,
    }
    await insertOrder(inside.data, toOrderRow(order))
    await insertItems(inside.data, toItemRows(order))
    await publish(inside, 'order.created', orderPayload(order))
    return order
  })
}

/**
 * Omitted members stay unchanged. New items replace those of the order, at current prices.
 * @throws ServiceError `notFound`, `preconditionFailed`, or `invalid` when the order is no longer PENDING or an item
 *   cannot be ordered
 */
export function updateOrder(
  context: Context,
  id: string,
  input: OrderUpdate,
  precondition: Precondition,
): Promise<StoredOrder> {
  return inTransaction(context, async (inside) => {
    const before = await lockOrder(inside, id, precondition)
    if (before.status !== 'PENDING') {
      throw refusal('orderNotPending', { status: before.status })
    }
    const priced: PricedItems = input.items === undefined ? before : await priceItems(inside, input.items)
    const order = changed(inside, before, {
      ...orderFields.given(input, before),
      items: priced.items,
      total: priced.total,
    })
    await replaceOrder(inside.data, toOrderRow(order))
    if (input.items !== undefined) {
      await deleteItems(inside.data, id)
      await insertItems(inside.data, toItemRows(order))
    }
    await publish(inside, 'order.updated', orderPayload(order))
    return order
  })
}

/** @throws ServiceError `notFound`, `preconditionFailed`, or `invalid` unless the order is PENDING */
export function payOrder(context: Context, id: string, precondition: Precondition): Promise<StoredOrder> {
  return inTransaction(context, async (inside) => {
    const order = await moveOrder(inside, id, { to: 'PAID', precondition })
    await publish(inside, 'order.paid', orderPayload(order))
    return order
  })
}

/** @throws ServiceError `notFound`, `preconditionFailed`, or `invalid` unless the order is PENDING */
export function cancelOrder(context: Context, id: string, precondition: Precondition): Promise<StoredOrder> {
  return inTransaction(context, async (inside) => {
    const order = await moveOrder(inside, id, { to: 'CANCELLED', precondition })
    await publish(inside, 'order.cancelled', orderPayload(order))
    return order
  })
}

/** PAID and CANCELLED are final: the service has no refunds. */
const successors: Record<OrderStatus, readonly OrderStatus[]> = {
  PENDING: ['PAID', 'CANCELLED'],
  PAID: [],
  CANCELLED: [],
}

async function moveOrder(
  inside: Context,
  id: string,
  { to, precondition }: { to: OrderStatus; precondition: Precondition },
): Promise<StoredOrder> {
  const before = await lockOrder(inside, id, precondition)
  if (!successors[before.status].includes(to)) {
    throw refusal('orderState', { status: before.status, next: to })
  }
  const order = changed(inside, before, { status: to })
  await replaceOrder(inside.data, toOrderRow(order))
  return order
}

async function lockOrder(inside: Context, id: string, precondition: Precondition): Promise<StoredOrder> {
  await lockOrderRow(inside.data, id)
  const order = await getOrder(inside, id)
  precondition?.(order)
  return order
}

function changed(inside: Context, before: StoredOrder, change: Partial<StoredOrder>): StoredOrder {
  return { ...before, ...change, updatedAt: now(inside), version: before.version + 1 }
}

function orderPayload({ id, customerId, total }: StoredOrder) {
  return { orderId: id, customerId, total }
}
