/** Clients that create products until the service is gone, and record what it acknowledged. */
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { Agent } from 'node:http'
import { askThrough } from '../http/connection.ts'

export interface Stream {
  /** When this many more products are acknowledged. */
  acknowledged(count: number): Promise<void>
  /** When every client has met an error of its connection. */
  ended: Promise<unknown>
}

export class CreatingClients {
  /** What was answered with 201: the name of each product by its id. */
  readonly acknowledged = new Map<string, string>()
  /** Sent with an Idempotency-Key, not answered, and sent again. */
  readonly retriedNames: string[] = []
  readonly #authorization: string
  /** The name behind each key that has no answer yet. */
  readonly #unanswered = new Map<string, string>()
  readonly #heard = new EventEmitter()
  #count = 0

  constructor(authorization: string) {
    this.#authorization = authorization
  }

  /** Every other client sends an Idempotency-Key with each product. */
  stream(url: string, clients: number): Stream {
    const agent = new Agent({ keepAlive: true })
    const all = Array.from({ length: clients }, (_, client) =>
      this.#createUntilGone(agent, url, client % 2 === 0),
    )
    const ended = Promise.all(all).finally(() => agent.destroy())
    return { ended, acknowledged: (count) => this.#grown(this.acknowledged.size + count) }
  }

  async retryUnanswered(url: string): Promise<void> {
    const agent = new Agent()
    for (const [key, name] of this.#unanswered) {
      await this.#create(agent, url, name, key)
      this.retriedNames.push(name)
    }
  }

  async #createUntilGone(agent: Agent, url: string, keyed: boolean): Promise<void> {
    for (;;) {
      const name = `Product ${++this.#count}`
      const key = keyed ? randomUUID() : null
      if (key !== null) this.#unanswered.set(key, name)
      try {
        await this.#create(agent, url, name, key)
      } catch (error) {
        if (error instanceof Refused) throw error
        return
      }
    }
  }

  /** @throws Refused for any answer but 201 */
  async #create(agent: Agent, url: string, name: string, key: string | null): Promise<void> {
    const headers = {
      authorization: this.#authorization,
      'content-type': 'application/json',
      ...(key !== null && { 'idempotency-key': key }),
    }
    const body = JSON.stringify({ name, price: 1 })
    const heard = await askThrough(agent, `${url}/api/products`, { method: 'POST', headers, body })
    if (heard.status !== 201) throw new Refused(heard.body)
    this.acknowledged.set(JSON.parse(heard.body).id, name)
    if (key !== null) this.#unanswered.delete(key)
    this.#heard.emit('answer')
  }

  async #grown(size: number): Promise<void> {
    while (this.acknowledged.size < size) await once(this.#heard, 'answer')
  }
}

class Refused extends Error {}
