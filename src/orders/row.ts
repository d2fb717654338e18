/** Converts between orders and their rows: one for the order, and one for each item. */
import type { OrderStatus, StoredOrder } from './schema.ts'
import type { OrderItemRow, OrderLine, OrderRow } from './sql.ts'

/** @param lines grouped by order, in the order of the items */
export function toOrders(lines: readonly OrderLine[]): StoredOrder[] {
  const orders: StoredOrder[] = []
  for (const line of lines) {
    let order = orders.at(-1)
    if (order?.id !== line.id) {
      order = withoutItems(line)
      orders.push(order)
    }
    order.items.push({
      productId: line.product_id,
      name: line.name,
      quantity: line.quantity,
      unitPrice: line.unit_price,
      lineTotal: line.line_total,
    })
  }
  return orders
}

export function toOrderRow(order: StoredOrder): OrderRow {
  return {
    id: order.id,
    number: order.number,
    customer_id: order.customerId,
    status: order.status,
    currency: order.currency,
    total: order.total,
    created_at: order.createdAt,
    updated_at: order.updatedAt,
    version: order.version,
  }
}

export function toItemRows({ id, items }: StoredOrder): OrderItemRow[] {
  return items.map((item, position) => ({
    order_id: id,
    position,
    product_id: item.productId,
    name: item.name,
    quantity: item.quantity,
    unit_price: item.unitPrice,
    line_total: item.lineTotal,
  }))
}

function withoutItems(line: OrderLine): StoredOrder {
  return {
    id: line.id,
    number: line.number,
    customerId: line.customer_id,
    status: line.status as OrderStatus, // the table has a check
    currency: line.currency,
    total: line.total,
    items: [],
    createdAt: line.created_at,
    updatedAt: line.updated_at,
    version: line.version,
  }
}
