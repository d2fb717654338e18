/** Converts between orders and their rows: one for the order, and one for each item. */
import { orderFields, orderItemFields, type StoredOrder } from './schema.ts'
import type { OrderItemRow, OrderLine, OrderRow } from './sql.ts'

/** @param lines items with the columns of their order; the items of an order are consecutive and in their order */
export function toOrders(lines: readonly OrderLine[]): StoredOrder[] {
  const orders: StoredOrder[] = []
  for (const line of lines) {
    let order = orders.at(-1)
    if (order?.id !== line.id) {
      order = withoutItems(line)
      orders.push(order)
    }
    order.items.push(orderItemFields.toValues(line))
  }
  return orders
}

export function toOrderRow(order: StoredOrder): OrderRow {
  return {
    id: order.id,
    ...orderFields.toColumns(order),
    created_at: order.createdAt,
    updated_at: order.updatedAt,
    version: order.version,
  }
}

export function toItemRows({ id, items }: StoredOrder): OrderItemRow[] {
  return items.map((item, position) => ({
    order_id: id,
    position,
    ...orderItemFields.toColumns(item),
  }))
}

function withoutItems(line: OrderLine): StoredOrder {
  return {
    id: line.id,
    ...orderFields.toValues(line),
    items: [],
    createdAt: line.created_at,
    updatedAt: line.updated_at,
    version: line.version,
  }
}
