/** A tenant is moved to a file of its own, and back by the command line, while the service serves it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../../support/client.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { person } from '../../support/service.ts'
import { BusyClients } from '../busy-clients.ts'
import {
  isServedFrom,
  type MovingScene,
  moveTo,
  setMovingScene,
  tenantId,
  toldOfEverything,
} from './moving.ts'

const clients = 2
/** Between two requests of one of them, or of a reader. */
const pauseMs = 100
/** By then, requests that began before the switch have ended, however busy the machine is. */
const removeAfterSeconds = 4

describe('Moving', { concurrency: 2 }, () => {
  onEachDatabase('A tenant that is moved, the catalogue', (database) => {
    it('has all that it had and what is written meanwhile, and every request is served or put off', async () => {
      await using scene = await setMovingScene(database)
      const { admin } = scene
      const paths = await createOneOfEach(scene)
      const before = await readAll(admin, paths)
      await using busy = new BusyClients(admin, pauseMs)
      await know(busy, admin)
      busy.start(clients)
      await using reading = new Readers(admin, paths)

      for (const [kind, move] of [
        ['sqlite', () => scene.move('sqlite:acme.db', { removeAfterMs: removeAfterSeconds * 1000 })],
        ['shared', () => moveBackByCommand(scene)],
      ] as const) {
        const createdBefore = busy.created.size
        await move()
        assert.ok(busy.created.size > createdBefore, 'nothing was written while it was moved')
        await isServedFrom(scene, kind)
        assert.deepEqual(await readAll(admin, paths), before)
        const own = await scene.count(scene.fileUrl('acme.db'), 'product')
        const shared = await scene.count(scene.sharedUrl, 'product')
        if (kind === 'sqlite') assert.deepEqual([shared, own > 0], [0, true])
        else assert.ok(shared > 0)
      }

      assert.ok((await reading.stop()) > 0)
      await busy.stop()
      await busy.check()
      await toldOfEverything(scene, busy)
    })
  })
})

async function moveBackByCommand(scene: MovingScene): Promise<void> {
  const { code, stdout, stderr } = await scene.run(moveTo('shared', removeAfterSeconds))
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  assert.match(stdout, new RegExp(`^Tenant ${tenantId} is moved\\.$`, 'm'))
}

/** @returns the addresses of what there is before anything moves */
async function createOneOfEach({ admin, receiver: { url } }: MovingScene): Promise<string[]> {
  const make = async (path: string, members: object): Promise<string> => {
    const made = await admin.post(path, members)
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const productId = await make('/api/products', { name: 'Desk', price: 349.9 })
  const order = await make('/api/orders', { customerId: 'c', items: [{ productId, quantity: 2 }] })
  const user = await make('/api/users', person('worker'))
  const subscription = await make('/api/webhooks/subscriptions', { url, events: ['never.*'] })
  return [
    `/api/products/${productId}`,
    `/api/orders/${order}`,
    `/api/users/${user}`,
    `/api/webhooks/subscriptions/${subscription}`,
  ]
}

/** What is put off is asked for again. */
function readAll(admin: Client, paths: readonly string[]): Promise<unknown[]> {
  const read = async (path: string): Promise<unknown> => {
    let answer = await admin.get(path)
    await eventually(path, soonMs, async () => {
      if (answer.status === 503) answer = await admin.get(path)
      return answer.status !== 503
    })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  return Promise.all(paths.map(read))
}

/** What is there already is to be found at the end as well. */
async function know(busy: BusyClients, admin: Client): Promise<void> {
  const { body: products } = await admin.get('/api/products')
  for (const { id, name, price } of products) busy.products.set(id, { name, price })
  const { body: orders } = await admin.get('/api/orders')
  for (const { id, total } of orders) busy.orders.set(id, total)
}

/** Reads all the time; what is asked for is answered, or put off until later. */
class Readers implements AsyncDisposable {
  #isStopped = false
  #answered = 0
  readonly #running: Promise<void>

  constructor(admin: Client, paths: readonly string[]) {
    this.#running = this.#read(admin, paths)
    this.#running.catch(() => undefined) // told when it is stopped
  }

  /** @returns how many requests were answered @throws AssertionError for any other answer */
  async stop(): Promise<number> {
    this.#isStopped = true
    await this.#running
    return this.#answered
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true
    await this.#running.catch(() => undefined)
  }

  async #read(admin: Client, paths: readonly string[]): Promise<void> {
    while (!this.#isStopped) {
      for (const path of paths) {
        const { status, headers, text } = await admin.get(path)
        if (status === 503) assert.match(headers.get('retry-after') ?? '', /^\d+$/)
        else assert.equal(status, 200, `${path}: ${text}`)
        if (status === 200) this.#answered++
      }
      await delay(pauseMs)
    }
  }
}
