/** Creates the items of an order with the current names and prices of their products. */

import { product } from '../catalog/product/product.ts'
import type { Context } from '../core/context.ts'
import { type Fault, faultAt, invalidField, ServiceError } from '../core/errors.ts'
import { toAmount, toTenThousandths } from '../core/money.ts'
import { maxAmount } from '../core/schema/schema.ts'
import type { OrderInput, OrderItem } from './schema.ts'

export interface PricedItems {
  items: OrderItem[]
  total: number
}

/**
 * Copies names and prices, so that later changes of a product do not affect the order.
 * @throws ServiceError `invalid`, naming each item with an unknown or inactive product, or a total that is too large
 */
export async function priceItems(inside: Context, wanted: OrderInput['items']): Promise<PricedItems> {
  const ids = wanted.map(({ productId }) => productId.toLowerCase())
  const found = await product.findAll(inside, ids)
  const faults: Fault[] = []
  const items: OrderItem[] = []
  let sum = 0n
  for (const [index, { quantity }] of wanted.entries()) {
    const ordered = found.get(ids[index] ?? '')
    if (ordered === undefined || !ordered.isActive) {
      const reason = ordered === undefined ? 'names no product' : 'names a product that is not active'
      faults.push(faultAt(`/items/${index}/productId`, reason, 'notFound'))
      continue
    }
    const line = toTenThousandths(ordered.price) * BigInt(quantity)
    sum += line
    const { id, name, price } = ordered
    items.push({ productId: id, name, quantity, unitPrice: price, lineTotal: amountOf(line) })
  }
  if (faults.length > 0) throw unorderable(faults)
  return { items, total: amountOf(sum) }
}

function amountOf(tenThousandths: bigint): number {
  const amount = toAmount(tenThousandths)
  if (amount === null)
    throw invalidField('items', `must not cost more than ${maxAmount}`, {
      code: 'tooBig',
      parameters: { limit: maxAmount },
    })
  return amount
}

/** Makes one error of the faults, in the form of input errors: `items.0.productId: names no product` */
function unorderable(faults: readonly Fault[]): ServiceError {
  const text = faults.map(({ pointer, reason }) => `${pointer.slice(1).replaceAll('/', '.')}: ${reason}`)
  return new ServiceError('invalid', text.join('; '), { faults })
}
