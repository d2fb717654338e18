/** Orders of the maximum size, and more items than there are. */
import { Client } from '../../support/client.ts'
import { bearer, requestBytes } from '../../support/http/request-bytes.ts'
import type { Attack, Front } from '../front.ts'
import { hammer } from '../hammer.ts'

export const largeRowAttacks: Attack[] = [
  {
    name: 'large-row-query',
    start: (front) => askOfOrder(front, (id) => `{ order(id: "${id}") ${copies} }`),
  },
  {
    name: 'large-row-page',
    start: (front) => askOfOrder(front, () => `{ orders(first: 1) { nodes ${copies} } }`),
  },
  {
    name: 'large-row-mutation',
    start: (front) =>
      askOfOrder(
        front,
        (id) => `mutation { updateOrder(id: "${id}", input: { customerId: "d" }) ${copies} }`,
      ),
  },
  { name: 'large-row-follower', start: followLargeOrders },
  { name: 'large-order-pages', start: readPages },
]

/** JSON makes six bytes of each of these characters. */
const longText = (characters: number) => '\u0001'.repeat(characters)
const aliases = Array.from({ length: 150 }, (_each, index) => `d${index}: description`)
const copies = `{ items { product { ${aliases.join(' ')} } } }`
const items = 200
const orders = 50

async function askOfOrder(front: Front, document: (id: string) => string): Promise<void> {
  const id = await placeOrder(front)
  const body = { query: document(id) }
  const request = requestBytes({ path: '/graphql', headers: bearer(front.target.hostile.user), body })
  hammer(front, { next: () => request })
}

async function followLargeOrders(front: Front): Promise<void> {
  const headers = { ...bearer(front.target.hostile.user), accept: 'text/event-stream' }
  for (let index = 0; index < 20; index++) {
    const query = `subscription { onOrderCreated { a${index}: id items { product { description } } } }`
    const socket = front.connect(index)
    socket.once('connect', () => {
      front.count('sent')
      socket.write(requestBytes({ path: '/graphql', headers, body: { query } }))
    })
    socket.resume()
  }
  const place = orderRequest(await createProduct(front))
  hammer(front, { connections: 2, perSecond: 20, next: () => requestBytes({ ...place, headers }) })
}

async function readPages(front: Front): Promise<void> {
  for (let index = 0; index < orders; index++) await placeOrder(front)
  const headers = bearer(front.target.hostile.user)
  hammer(front, { next: () => requestBytes({ path: '/api/orders?limit=200', headers }) })
}

/** @returns its id */
async function placeOrder(front: Front): Promise<string> {
  const { path, body } = orderRequest(await createProduct(front))
  return created(front, path, body)
}

function createProduct(front: Front): Promise<string> {
  return created(front, '/api/products', {
    name: longText(200),
    price: 1,
    description: longText(2000),
  })
}

function orderRequest(productId: string): { path: string; body: object } {
  return {
    path: '/api/orders',
    body: { customerId: 'c', items: Array(items).fill({ productId, quantity: 1 }) },
  }
}

async function created({ target }: Front, path: string, body: object): Promise<string> {
  const client = new Client(`http://127.0.0.1:${target.port}`, bearer(target.hostile.user))
  const made = await client.post(path, body)
  if (made.status !== 201) throw new Error(made.text)
  return String(made.body.id)
}
