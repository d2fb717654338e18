/** Clients that create, change, delete and order until they are stopped, and record what was acknowledged. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, Client } from '../support/client.ts'
import { walkPages } from '../support/pages.ts'

export interface KnownProduct {
  name: string
  price: number
}

interface Found extends KnownProduct {
  id: string
  total: number
  number: number
}

export class BusyClients implements AsyncDisposable {
  /** The rows that have to exist afterwards, and no others. */
  readonly products = new Map<string, KnownProduct>()
  readonly orders = new Map<string, number>()
  /** Every row that was created, also deleted ones. */
  readonly created = new Set<string>()
  /** Answers with 503, after each of which the request was retried. */
  refused = 0
  longestMs = 0
  readonly #client: Client
  readonly #pauseMs: number
  #isStopped = false
  #isGivenUp = false
  #running: Promise<PromiseSettledResult<void>[]> | null = null

  constructor(client: Client, pauseMs = 20) {
    this.#client = client
    this.#pauseMs = pauseMs
  }

  start(clients: number): void {
    this.#running = Promise.allSettled(Array.from({ length: clients }, (_, client) => this.#work(client)))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const result of (await this.#running) ?? []) if (result.status === 'rejected') throw result.reason
  }

  /** After a failure: what is refused is not asked for again. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true
    this.#isGivenUp = true
    await this.#running
  }

  /** Asserts that the service has what it acknowledged, each once. */
  async check(): Promise<void> {
    const listed = await this.#client.get('/api/products')
    assert.equal(listed.status, 200, listed.text)
    const products: Found[] = listed.body
    const found = products.map(({ id, name, price }) => `${id} ${name} ${price}`)
    const known = [...this.products].map(([id, { name, price }]) => `${id} ${name} ${price}`)
    assert.deepEqual(differencesOf(found, known), [])
    const pages = await walkPages(this.#client, '/api/orders?limit=200')
    const orders: Found[] = pages.flatMap(({ body }) => body)
    const ordered = [...this.orders].map(([id, total]) => `${id} ${total}`)
    assert.deepEqual(
      differencesOf(
        orders.map(({ id, total }) => `${id} ${total}`),
        ordered,
      ),
      [],
    )
    const numbers = new Set(orders.map(({ number }) => number))
    assert.equal(numbers.size, orders.length, 'a number was given twice')
  }

  async #work(client: number): Promise<void> {
    const own: string[] = []
    for (let turn = 0; !this.#isStopped; turn++) {
      const name = `Thing ${client}-${turn}`
      const id = await this.#create(name, turn)
      own.push(id)
      if (turn % 3 === 0) await this.#change(own[Math.floor(own.length / 2)] ?? id, turn)
      if (turn % 4 === 0) await this.#order(id, turn)
      if (turn % 5 === 0) await this.#remove(own.shift() ?? id)
      await delay(this.#pauseMs)
    }
  }

  async #create(name: string, turn: number): Promise<string> {
    const price = turn + 0.25
    const { body } = await this.#send('POST', '/api/products', { name, price }, 201)
    this.products.set(body.id, { name, price })
    this.created.add(body.id)
    return body.id
  }

  async #change(id: string, turn: number): Promise<void> {
    const known = this.products.get(id)
    if (known === undefined) return
    const changed = { name: `${known.name} changed`, price: known.price + turn }
    await this.#send('PUT', `/api/products/${id}`, changed, 200)
    this.products.set(id, changed)
  }

  async #order(id: string, turn: number): Promise<void> {
    const order = { customerId: `customer-${turn}`, items: [{ productId: id, quantity: 2 }] }
    const { body } = await this.#send('POST', '/api/orders', order, 201)
    this.orders.set(body.id, body.total)
  }

  async #remove(id: string): Promise<void> {
    await this.#send('DELETE', `/api/products/${id}`, undefined, 204)
    this.products.delete(id)
  }

  /** Retries while the answer is 503; with a key, a row is created once. */
  async #send(method: string, path: string, body: unknown, expected: number): Promise<Answer> {
    const headers = method === 'POST' ? { 'idempotency-key': randomUUID() } : {}
    const began = performance.now()
    for (;;) {
      const answer = await this.#client.send(method, path, body, headers)
      this.longestMs = Math.max(this.longestMs, performance.now() - began)
      if (answer.status !== 503) {
        assert.equal(answer.status, expected, answer.text)
        return answer
      }
      assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
      this.refused++
      assert.ok(!this.#isGivenUp, 'still refused when the test ended')
      await delay(50)
    }
  }
}

/** Entries on one side only, and repeated ones. */
function differencesOf(found: readonly string[], expected: readonly string[]): string[] {
  const [there, wanted] = [new Set(found), new Set(expected)]
  const twice = found.filter((each, index) => found.indexOf(each) !== index)
  return [
    ...twice.map((each) => `twice: ${each}`),
    ...expected.filter((each) => !there.has(each)).map((each) => `lost: ${each}`),
    ...found.filter((each) => !wanted.has(each)).map((each) => `not expected: ${each}`),
  ]
}
