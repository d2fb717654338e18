/** Orders for subscribers to `onOrderCreated`. */
import assert from 'node:assert/strict'
import type { Client } from '../client.ts'
import { newProduct, orderOf } from '../orders.ts'

export interface Shop {
  /** @returns its id */
  order(by?: Client): Promise<string>
  /** One after the other. @returns their ids */
  orders(count: number): Promise<string[]>
  /** Many at once. @returns their ids, in any order */
  rush(count: number): Promise<string[]>
}

const atOnce = 20

export async function openShop(user: Client): Promise<Shop> {
  const product = await newProduct(user)
  const body = orderOf([[product, 1]])
  const order = async (by: Client = user): Promise<string> => {
    const made = await by.post('/api/orders', body)
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const orders = async (count: number): Promise<string[]> => {
    const ids: string[] = []
    while (ids.length < count) ids.push(await order())
    return ids
  }
  const rush = async (count: number): Promise<string[]> => {
    const widths = Array.from({ length: atOnce }, (_each, place) => Math.floor((count + place) / atOnce))
    return (await Promise.all(widths.map(orders))).flat()
  }
  return { order, orders, rush }
}
