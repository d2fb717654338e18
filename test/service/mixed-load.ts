/** Every kind of write at once, and what was acknowledged: the rows, and the events that they caused. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { eventually } from '../support/eventually.ts'
import { signed } from '../support/webhooks/provider.ts'
import type { Caller, Reply } from './caller.ts'

const withinMs = 30_000
const createProduct = 'mutation ($input: CreateProductInput!) { createProduct(input: $input) { id } }'
const updateProduct =
  'mutation ($id: UUID!, $input: UpdateProductInput!) { updateProduct(id: $id, input: $input) { id } }'

export class MixedLoad implements AsyncDisposable {
  /** `order.paid 0198…`: an event, and the id of its row. */
  readonly events = new Set<string>()
  /** The present state of each row, by its id. */
  readonly rows = new Map<string, string>()
  readonly #caller: Caller
  readonly #productId: string
  #isOver = false
  readonly #working: Promise<unknown>

  /** @param productId of a product to order */
  constructor(caller: Caller, productId: string) {
    this.#caller = caller
    this.#productId = productId
    const kinds = [() => this.#rest(), () => this.#graphql(), () => this.#order(), () => this.#webhook()]
    this.#working = Promise.all([...kinds, ...kinds].map((kind) => this.#repeat(kind)))
    this.#working.catch(() => undefined) // `end` tells of it
  }

  /** Waits until the instances at these addresses have answered so many more requests each. */
  async answered(more: number, urls: readonly string[]): Promise<void> {
    const goals = urls.map((url) => this.#caller.answersOf(url) + more)
    const reached = () => urls.every((url, index) => this.#caller.answersOf(url) >= (goals[index] ?? 0))
    const working = this.#working.then(() => undefined)
    await Promise.race([eventually(`${more} answers of each`, withinMs, async () => reached()), working])
  }

  /** @throws AssertionError when an answer was not the expected one */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#working
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end().catch(() => undefined) // told by whoever waited for it
  }

  async #repeat(kind: () => Promise<void>): Promise<void> {
    try {
      while (!this.#isOver) await kind()
    } finally {
      this.#isOver = true // one that fails ends all
    }
  }

  async #rest(): Promise<void> {
    const key = { 'idempotency-key': randomUUID() }
    const made = await this.#caller.send('POST', '/api/products', { name: 'By REST', price: 1 }, key)
    const { id } = expect(made, 201)
    this.#acknowledge(id, 'price 1', 'product.created')
    expect(await this.#caller.send('PUT', `/api/products/${id}`, { name: 'By REST', price: 2 }), 200)
    this.#acknowledge(id, 'price 2', 'product.updated')
    if (this.rows.size % 2 === 0) return
    const gone = await this.#caller.send('DELETE', `/api/products/${id}`)
    expect(gone, gone.isRepeated && gone.status === 404 ? 404 : 204)
    this.#acknowledge(id, 'gone', 'product.deleted')
  }

  async #graphql(): Promise<void> {
    const made = await this.#mutate(createProduct, { input: { name: 'By GraphQL', price: 1 } })
    const { id } = made.createProduct
    this.#acknowledge(id, 'price 1', 'product.created')
    await this.#mutate(updateProduct, { id, input: { price: 2 } })
    this.#acknowledge(id, 'price 2', 'product.updated')
  }

  async #order(): Promise<void> {
    const order = { customerId: 'customer-7', items: [{ productId: this.#productId, quantity: 1 }] }
    const key = { 'idempotency-key': randomUUID() }
    const { id } = expect(await this.#caller.send('POST', '/api/orders', order, key), 201)
    this.#acknowledge(id, 'PENDING', 'order.created')
    const paid = await this.#caller.send('POST', `/api/orders/${id}/pay`)
    expect(paid, paid.isRepeated && paid.status === 400 ? 400 : 200) // it is PAID already
    this.#acknowledge(id, 'PAID', 'order.paid')
  }

  async #webhook(): Promise<void> {
    const id = `evt_${randomUUID()}`
    const text = JSON.stringify({ id, type: 'load.made' })
    const headers = { 'stripe-signature': signed(text) }
    expect(await this.#caller.send('POST', '/api/webhooks/receive/stripe', text, headers), 200)
    this.#acknowledge(id, 'received', 'stripe.load.made')
  }

  async #mutate(query: string, variables: object): Promise<Reply['body']> {
    const { data, errors } = expect(await this.#caller.send('POST', '/graphql', { query, variables }), 200)
    assert.equal(errors, undefined, JSON.stringify(errors))
    return data
  }

  #acknowledge(id: string, row: string, event: string): void {
    this.rows.set(id, row)
    this.events.add(`${event} ${id}`)
  }
}

/** The event that a webhook delivers, written as in `MixedLoad.events`. */
export function eventOf(body: string): string {
  const { type, data } = JSON.parse(body)
  return `${type} ${data.productId ?? data.orderId ?? data.id}`
}

function expect({ status, text, body }: Reply, expected: number): Reply['body'] {
  assert.equal(status, expected, text)
  return body
}
