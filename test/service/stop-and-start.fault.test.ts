/** PostgreSQL is stopped under load and started again, as for an upgrade; the instances recover by themselves. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Client } from '../support/client.ts'
import { inspect } from '../support/database/inspect.ts'
import { startLastingPostgres } from '../support/database/postgres-server.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { newMasterKey } from '../support/master-key.ts'
import { newProduct, orderOf } from '../support/orders.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { type RunningService, Workplace } from '../support/process/workplace.ts'
import { person } from '../support/service.ts'
import { hearAll, isAmong, missing } from './acknowledged.ts'
import { Follower } from './follower.ts'
import { MixedLoad } from './mixed-load.ts'
import { PatientCaller } from './patient-caller.ts'

/** docs/operations/connections.md: so long a connection is waited for. */
const longestAnswerMs = 5000
/** Asked for again twice a second; the rest is for a machine that has much to do. */
const listeningWithinMs = 3000

describe('While PostgreSQL is stopped under load, and when it is started again', () => {
  it('requests get 503 and nothing else, nothing acknowledged is lost, and all goes on by itself', async () => {
    await using stage = await startTwoInstances()
    const { postgres, urls, authorization, delivered, clients, store } = stage
    await using follower = new Follower([urls[1] ?? ''], { authorization })
    await eventually('the stream', soonMs, async () => follower.streams.length === 1)
    const caller = new PatientCaller(urls, { authorization })
    await using load = new MixedLoad(caller, stage.product.id)
    await load.answered(60, urls)
    assert.equal(caller.refused, 0)

    await postgres.stop()
    const { refused } = caller
    for (const client of clients) await assertUnavailableEverywhere(client)
    await load.answered(200, urls)
    assert.ok(caller.refused > refused, 'the load was refused too')
    await postgres.start()

    await load.answered(80, urls)
    await heardElsewhere(stage, follower)
    await load.end()
    assert.ok(caller.longestMs < longestAnswerMs, `an answer took ${caller.longestMs} ms`)
    assert.deepEqual(await missing(store, load.rows), [])
    await eventually('every event', soonMs, async () => isAmong(load.events, delivered))
    const orders = [...load.rows.keys()].filter((id) => load.events.has(`order.created ${id}`))
    await eventually('every order', soonMs, async () => isAmong(orders, orderIdsOf(follower)))
    const numbers = follower.orders.map(({ number }) => number)
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].toSorted((one, other) => one - other),
      'each once, in order',
    )
    for (const { process } of stage.services) assert.equal(process.exitCode, null)
  })
})

async function startTwoInstances() {
  const postgres = await startLastingPostgres()
  const url = new URL(postgres.url)
  url.pathname = '/tenantry'
  const place = new Workplace({
    DATABASE_URL: url.href,
    MASTER_KEY: newMasterKey(),
    BASE_URL: 'http://tenantry.test',
    WEBHOOK_RETRY_SECONDS: '1,1,1,1,1',
    LOG_LEVEL: 'warn',
    TRUST_PROXY: 'true',
  })
  const services: RunningService[] = [await place.serve(), await place.serve()]
  const { authorization } = await createAdmin(services[0] as RunningService) // two were just started
  const clients = services.map((service) => new Client(service.url, { authorization }))
  const [user] = clients as [Client] // one for each
  const { delivered, close } = await hearAll(user)
  const product = await newProduct(user)
  return {
    postgres,
    services,
    clients,
    authorization,
    delivered,
    product,
    urls: services.map((service) => service.url),
    store: { rows: (sql: string) => inspect(url.href, sql) },
    [Symbol.asyncDispose]: async () => {
      await place[Symbol.asyncDispose]()
      await close()
      await postgres[Symbol.asyncDispose]()
    },
  }
}

async function assertUnavailableEverywhere(client: Client): Promise<void> {
  const credentials = { userName: 'admin', password: person('admin')['password'] }
  const calls: [method: string, path: string, body?: unknown][] = [
    ['GET', '/api/products'],
    ['POST', '/api/products', { name: 'Desk', price: 1 }],
    ['GET', '/api/orders'],
    ['GET', '/api/users'],
    ['POST', '/api/auth/login', credentials],
    ['POST', '/api/webhooks/receive/stripe', {}],
    ['GET', '/health/ready'],
  ]
  for (const [method, path, body] of calls) {
    const answer = await client.send(method, path, body)
    assert.equal(answer.status, 503, `${method} ${path}: ${answer.text}`)
    if (path !== '/health/ready') assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/, path)
  }
  assert.equal((await client.get('/health/live')).status, 200)
}

/** An order and the end of a session at one instance are known at the other as quickly as ever. */
async function heardElsewhere({ clients, product }: Stage, follower: Follower): Promise<void> {
  const [here, there] = clients as [Client, Client] // one for each
  const order = await here.post('/api/orders', orderOf([[product, 1]]))
  assert.equal(order.status, 201, order.text)
  await eventually('the order', listeningWithinMs, async () => orderIdsOf(follower).has(order.body.id))
  const credentials = { userName: 'admin', password: person('admin')['password'] }
  const signedIn = await here.post('/api/auth/login', credentials)
  assert.equal(signedIn.status, 200, signedIn.text)
  const elsewhere = there.withToken(signedIn.body.accessToken)
  assert.equal((await elsewhere.get('/api/auth/me')).status, 200)
  assert.equal((await here.withToken(signedIn.body.accessToken).post('/api/auth/logout')).status, 200)
  const isOver = async () => (await elsewhere.get('/api/auth/me')).status === 401
  await eventually('the end of the session', listeningWithinMs, isOver)
}

type Stage = Awaited<ReturnType<typeof startTwoInstances>>

function orderIdsOf({ orders }: Follower): Set<string> {
  return new Set(orders.map(({ id }) => id))
}
