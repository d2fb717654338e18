import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { describe, it } from 'node:test'
import { openStore } from '../support/database/store.ts'
import { askThrough, codeOf, type Heard } from '../support/http/connection.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { Workplace } from '../support/process/workplace.ts'

const clients = 25
const requestsPerClient = 400
/** So many are answered before one instance is told to stop. */
const answeredBefore = 4000
/** Of so many requests of a client one writes. */
const writesOneOf = 9

describe('A stop of one of two instances on one PostgreSQL under load', () => {
  it('drops none of ten thousand requests of clients who go to the other when a connection is refused', async () => {
    await using store = await openStore('postgres')
    await using place = new Workplace({ ...store.settings, LOG_LEVEL: 'warn' })
    const [stopped, other] = [await place.serve(), await place.serve()]
    const { authorization } = await createAdmin(stopped)
    const agent = new Agent({ keepAlive: true, maxSockets: clients })
    const callers = Array.from(
      { length: clients },
      (_, number) => new Caller(`${number}`, [stopped.url, other.url], { agent, authorization }),
    )
    let answers = 0
    const sendAll = async (caller: Caller): Promise<void> => {
      for (let number = 0; number < requestsPerClient; number++) {
        await caller.send(number)
        if (++answers === answeredBefore) stopped.process.kill('SIGTERM')
      }
    }
    await Promise.all(callers.map(sendAll))
    agent.destroy()

    assert.equal((await stopped.ended).code, 0)
    assert.equal(answers, clients * requestsPerClient)
    assert.deepEqual(new Set(callers.flatMap(({ failures }) => failures)), new Set(['ECONNREFUSED']))
    const created = callers.flatMap((caller) => caller.created)
    assert.deepEqual((await store.productNames()).toSorted(), created.toSorted())
  })
})

/** Asks the instances in turn, and leaves those out that refuse a connection. */
class Caller {
  /** Codes of the errors it met. */
  readonly failures: string[] = []
  /** Names of products. */
  readonly created: string[] = []
  readonly #name: string
  readonly #agent: Agent
  readonly #headers: object
  #urls: readonly string[]

  constructor(
    name: string,
    urls: readonly string[],
    { agent, authorization }: { agent: Agent; authorization: string },
  ) {
    this.#name = name
    this.#urls = urls
    this.#agent = agent
    this.#headers = { authorization, 'content-type': 'application/json' }
  }

  async send(number: number): Promise<void> {
    const name = `${this.#name}-${number}`
    const isWrite = number % writesOneOf === 0
    const { status, body } = await (isWrite
      ? this.#ask(number, 'POST', '/api/products', JSON.stringify({ name, price: 1 }))
      : this.#ask(number, 'GET', '/api/products?limit=1'))
    assert.equal(status, isWrite ? 201 : 200, body)
    if (isWrite) this.created.push(name)
  }

  async #ask(turn: number, method: string, path: string, body = ''): Promise<Heard> {
    const url = this.#urls[turn % this.#urls.length]
    assert.ok(url !== undefined, `nobody answers: ${this.failures}`)
    const sent = askThrough(this.#agent, `${url}${path}`, { method, headers: this.#headers, body })
    const outcome = await sent.catch(codeOf)
    if (typeof outcome !== 'string') return outcome
    this.failures.push(outcome)
    this.#urls = this.#urls.filter((each) => each !== url)
    return this.#ask(turn, method, path, body)
  }
}
