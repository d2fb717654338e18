/** Products, categories and orders whose values are hard to compare, and the same rows as REST returns them. */
import assert from 'node:assert/strict'
import type { Client } from '../client.ts'
import type { StillClock } from '../clock.ts'
import type { Row } from './oracle.ts'

const names = [
  ...[
    'a',
    'ab',
    'abc',
    'abcabc',
    'A',
    'Ab',
    'b',
    'aB',
    'ba',
    'z',
    'Z',
    '10',
    '9',
    '100%',
    '50% off',
    '%',
    '_',
  ],
  ...[
    'a_c',
    'a%c',
    "O'Neil",
    '"quoted"',
    'back\\slash',
    'é',
    'e\u0301',
    'ä',
    'a\u0308',
    'Ä',
    'ß',
    'ss',
    'ẞ',
    'zürich',
  ],
  ...[
    '😀',
    '😀😀',
    'a😀',
    '😀a',
    '👩‍👩‍👧',
    '\uffee',
    '\u{10ffff}',
    '\ue000',
    'ﬀ',
    'ff',
    '日本語',
    '日本',
    'a b',
    'a\tb',
    '{"a":1}',
  ],
]
const descriptions = [null, null, '', 'a', 'ab', '%', '_%', 'Ünïcödé', '😀', "it's", 'null', 'NULL', 'a\nb']
const prices = [0, 0.0001, 0.1, 0.3, 1, 1.0001, 9.99, 10, 10, 19.99, 100, 999_999_999.9999]

export interface Assortment {
  products: Row[]
  orders: Row[]
}

/** @param clock is moved now and then, so that some rows are of one moment */
export async function newAssortment(user: Client, clock: StillClock): Promise<Assortment> {
  const categoryIds: string[] = []
  for (const name of ['a', 'ab', 'Ä', '😀', 'empty', '%']) {
    categoryIds.push(await make(user, '/api/categories', { name }))
    clock.advance({ ms: categoryIds.length % 2 })
  }
  const usual = cycle(categoryIds.filter((_id, index) => index !== 4))
  const productIds = await eachAtOnce(
    [...names, ...names, ...names, ...names, ...names, ...names],
    clock,
    (name, index) => {
      const members = { name, description: cycle(descriptions)(index * 7), price: cycle(prices)(index * 5) }
      return make(user, '/api/products', { ...members, categoryId: index % 3 === 0 ? null : usual(index) })
    },
  )
  await eachAtOnce(Array(100).fill(productIds), clock, (ids, index) => placeVariedOrder(user, ids, index))
  await eachAtOnce(productIds, clock, async (id, index) => {
    const path = `/api/products/${id}`
    if (index % 9 === 0) await user.delete(path)
    if (index % 9 === 1) await user.put(path, { name: 'later', price: 7 })
    if (index % 4 === 2) await user.put(path, { name: cycle(names)(index), price: 7, isActive: false })
  })
  return readAssortment(user)
}

/** Ten at a time, all of one moment. */
async function eachAtOnce<T, R>(
  values: readonly T[],
  clock: StillClock,
  work: (value: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  for (let from = 0; from < values.length; from += 10) {
    const group = values.slice(from, from + 10)
    results.push(...(await Promise.all(group.map((value, index) => work(value, from + index)))))
    clock.advance({ ms: 1 })
  }
  return results
}

async function placeVariedOrder(user: Client, productIds: readonly string[], index: number): Promise<void> {
  const items = Array.from({ length: 1 + (index % 4) }, (_item, place) => ({
    productId: cycle(productIds)(index * 3 + place),
    quantity: 1 + ((index + place) % 3),
  }))
  const currency = cycle([null, 'EUR', 'USD', 'CHF'])(index)
  const customerId = cycle(['a', 'ab', 'A%', 'ä', 'c_1'])(index)
  const id = await make(user, '/api/orders', { customerId, items, currency })
  if (index % 3 === 1) await user.post(`/api/orders/${id}/pay`)
  if (index % 7 === 2) await user.post(`/api/orders/${id}/cancel`)
}

async function make(user: Client, path: string, body: object): Promise<string> {
  const { status, body: made, text } = await user.post(path, body)
  assert.equal(status, 201, text)
  return made.id
}

/** With the rows that relations lead to. */
export async function readAssortment(user: Client): Promise<Assortment> {
  const [categories, plain, orders] = await Promise.all(
    ['/api/categories', '/api/products', '/api/orders?limit=200'].map(
      async (path) => (await user.get(path)).body as Row[],
    ),
  )
  const categoryById = new Map((categories ?? []).map((row) => [row['id'], row]))
  const products = (plain ?? []).map((row) => ({
    ...row,
    category: categoryById.get(row['categoryId'] ?? '') ?? null,
  }))
  const productById = new Map(products.map((row) => [(row as Row)['id'], row]))
  const withProducts = (items: Row[]) =>
    items.map((item) => ({ ...item, product: productById.get(item['productId'] ?? '') ?? null }))
  return {
    products,
    orders: (orders ?? []).map((row) => ({ ...row, items: withProducts(row['items'] as Row[]) })),
  }
}

function cycle<T>(values: readonly T[]): (index: number) => T {
  return (index) => values[index % values.length] as T // an index within the list
}
