/** A damaged file of a tenant, used in every way, beside a tenant whose database is whole. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { buildSchema, parse, validate } from 'graphql'
import { intervalJobsOf } from '../../../src/core/jobs.ts'
import { copySqlite } from '../../../src/database/sqlite/copy.ts'
import { exportTenant } from '../../../src/operations/archive/export.ts'
import { abandonMove, moveTenant } from '../../../src/operations/move/move.ts'
import type { Answer, Client } from '../../support/client.ts'
import { inspect } from '../../support/database/inspect.ts'
import { newProduct, orderOf } from '../../support/orders.ts'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'
import { subscribe } from '../../support/webhooks/delivery-scene.ts'
import { startReceiver } from '../../support/webhooks/receiver.ts'

const pageBytes = 4096
const products = 80
const lookForMs = 50

/** Whether a request to the damaged tenant may get this answer. @param answer `null` if it is no complete JSON */
export type Verdict = (answer: Answer | null) => boolean

export interface DamageScene extends AsyncDisposable {
  service: TestService
  /** Its database is `whole.db`, until it is given another. */
  tenant: TestTenant
  healthy: TestTenant
  /** Serves the tenant from a copy of its file with this damage. @returns the path */
  damage(name: string, damage: (path: string) => void): Promise<string>
  /** Sends one request of every kind. @returns answers that `isAllowed` does not allow */
  use(isAllowed?: Verdict): Promise<string[]>
  /** Retention, deliveries, backup, export and move. */
  maintain(): Promise<void>
}

export async function setDamageScene(): Promise<DamageScene> {
  const service = await startService('sqlite', {}, { deliveryStopWithinMs: 100 })
  const folder = join(service.dataDir, 'tenants')
  const tenant = await service.newTenant({ connectionString: 'sqlite:whole.db' })
  const healthy = await service.newTenant()
  const receiver = await startReceiver((response) => response.end())
  await subscribe(tenant.user, receiver, { events: ['*'] })
  const ids = await createRows(tenant.user)
  await service.service.queueWorkers.drain()
  let last = join(folder, 'whole.db')
  const damage = async (name: string, work: (path: string) => void): Promise<string> => {
    last = join(folder, name)
    await copySqlite(join(folder, 'whole.db'), last)
    work(last)
    const moved = await service.host.put(`/api/tenants/${tenant.id}`, { connectionString: `sqlite:${name}` })
    assert.equal(moved.status, 200, moved.text)
    return last
  }
  return {
    service,
    tenant,
    healthy,
    damage,
    use: (isAllowed = isServedOrUnavailable) => use({ tenant, ids, service, isAllowed }),
    maintain: () => maintain(service, tenant),
    [Symbol.asyncDispose]: async () => {
      await receiver.close()
      await service.stop()
    },
  }
}

async function createRows(user: Client): Promise<string[]> {
  const ids: string[] = []
  for (let count = 0; count < products; count++) {
    const { id } = await newProduct(user, { name: `Desk ${count}`, price: 1, description })
    ids.push(id)
  }
  for (const id of ids.slice(0, 20)) await user.post('/api/orders', orderOf([[{ id }, 1]]))
  return ids
}

const description = 'Oak, with three drawers. '.repeat(25)

const queryText = '{ products { id name category { name } } orders { nodes { items { name } } } }'
const removal = (id: string) => `mutation { deleteProduct(id: "${id}") { id } }`
/** Refusals before the file is read do not depend on it. */
const schema = buildSchema(readFileSync(join(import.meta.dirname, '../../../schema.graphql'), 'utf8'))
for (const text of [queryText, removal(crypto.randomUUID())])
  assert.deepEqual(validate(schema, parse(text)), [])

interface Usage {
  tenant: TestTenant
  ids: string[]
  service: TestService
  isAllowed: Verdict
}

async function use({ tenant, ids, service, isAllowed }: Usage): Promise<string[]> {
  const { admin, user, id } = tenant
  const { host } = service
  const [first = '', middle = '', next = ''] = [ids[0], ids[70], ids[71]]
  const [last = '', beforeLast = ''] = [ids.at(-1), ids.at(-2)]
  const requests: [string, Promise<Answer>][] = [
    ['list', user.get('/api/products')],
    ['page', user.get('/api/products?limit=20')],
    ['search', user.get('/api/products/search/desk')],
    ...[first, middle, last].map((each): [string, Promise<Answer>] => [
      'one',
      user.get(`/api/products/${each}`),
    ]),
    ['orders', user.get('/api/orders')],
    ['deliveries', user.get('/api/webhooks/deliveries?limit=200')],
    ['subscriptions', user.get('/api/webhooks/subscriptions')],
    ['audit', admin.get('/api/audit')],
    ['create', user.post('/api/products', { name: 'New', price: 2, description })],
    ['change', user.put(`/api/products/${middle}`, { name: 'Changed', price: 3 })],
    ['remove', user.delete(`/api/products/${beforeLast}`)], // another one, because all run at once
    [
      'order',
      user.post('/api/orders', orderOf([[{ id: first }, 1]]), { 'idempotency-key': crypto.randomUUID() }),
    ],
    ['publish', user.post('/api/events', { type: 'thing.happened', data: {} })],
    ['graphql', user.post('/graphql', { query: queryText })],
    ['mutation', user.post('/graphql', { query: removal(next) })],
    ['state', host.get(`/api/tenants/${id}/database`)],
  ]
  const settled = await Promise.allSettled(requests.map(([, answer]) => answer))
  return settled.flatMap((each, index) => {
    const [what = ''] = requests[index] ?? []
    // A list that was begun may break off: then there is no whole answer.
    if (each.status === 'rejected') {
      return what === 'list' || isAllowed(null) ? [] : [`${what}: ${each.reason}`]
    }
    const { status, text } = each.value
    return isAllowed(each.value) ? [] : [`${what}: ${status} ${text}`]
  })
}

/**
 * What SQLite notices is 503 in REST and `UNAVAILABLE` in GraphQL. What does not touch the damage is answered as ever:
 * 404 and 400 where the rows, or the index that leads to them, are lost with a page.
 */
export function isServedOrUnavailable(answer: Answer | null): boolean {
  if (answer === null) return false
  const { status, headers, body } = answer
  if (status === 503) return headers.get('retry-after') !== null && typeof body?.message === 'string'
  const errors: { extensions?: { code?: string } }[] = body?.errors ?? []
  if (status === 200) return errors.every(({ extensions }) => extensions?.code === 'UNAVAILABLE')
  return [201, 202, 204].includes(status)
}

/** SQLite keeps no checksums: a damaged value may be one that the service would never store. */
export function isAnswered(answer: Answer | null): boolean {
  return answer === null || answer.status < 500 || [500, 503].includes(answer.status)
}

async function maintain({ service, dataDir, config }: TestService, { id }: TestTenant): Promise<void> {
  const context = await service.operator()
  // What was sent, and cannot be recorded, is kept until the file is whole.
  await Promise.race([service.queueWorkers.drain(), delay(lookForMs)])
  for (const job of intervalJobsOf(service.features))
    await job.run(context, new AbortController().signal).catch(assertIsError)
  const to = join(dataDir, `${crypto.randomUUID()}`)
  await exportTenant(context, id, { to }).catch(assertIsError)
  await moveTenant(context, id, `sqlite:${crypto.randomUUID()}.db`, { removeAfterMs: 0 }).catch(assertIsError)
  await abandonMove(context, id).catch(assertIsError)
  await inspect(config.databaseUrl, 'DELETE FROM tenant_move') // where the old place cannot be read, it is not given up
  rmSync(to, { force: true })
}

function assertIsError(error: unknown): void {
  assert.ok(error instanceof Error, String(error))
}

/** Other tenants are served as before. */
export async function assertServed({ healthy, service }: DamageScene): Promise<void> {
  assert.equal((await healthy.user.post('/api/products', { name: 'Chair', price: 1 })).status, 201)
  assert.equal((await healthy.user.get('/api/products?limit=1')).status, 200)
  assert.equal((await service.anonymous.get('/health/ready')).status, 200)
}

/** As on a disk that goes bad. */
export function overwriteEveryThirdPage(path: string): void {
  const bytes = readFileSync(path)
  for (let page = 1; page * pageBytes < bytes.length; page += 3) {
    bytes.fill(7, page * pageBytes, page * pageBytes + 600)
  }
  writeFileSync(path, bytes)
}

/** Puts one text in the place of another of the same length. */
export function replaceEverywhere(path: string, text: string, other: string): void {
  const bytes = readFileSync(path)
  for (let place = bytes.indexOf(text); place !== -1; place = bytes.indexOf(text, place + 1))
    bytes.write(other, place)
  writeFileSync(path, bytes)
}

/** Damage that SQLite notices. @param random from 0 to 1, the same for the same seed */
export function randomDamage(random: () => number): (path: string) => void {
  const upTo = (limit: number): number => Math.floor(random() * limit)
  const kinds: ((path: string) => void)[] = [
    (path) => truncateSync(path, pageBytes * 2 + upTo(statSync(path).size - pageBytes * 2)),
    (path) => {
      rmSync(path)
      mkdirSync(path)
    },
    ...Array.from({ length: 8 }, () => (path: string) => overwritePlaces(path, random, () => 0)),
  ]
  return kinds[upTo(kinds.length)] ?? overwriteEveryThirdPage
}

/** Damage anywhere in pages, also in values of rows. */
export function scatteredDamage(random: () => number): (path: string) => void {
  return (path) => overwritePlaces(path, random, () => Math.floor(random() * pageBytes))
}

/** @param offset where in a page: its beginning says what the rest means */
function overwritePlaces(path: string, random: () => number, offset: () => number): void {
  const upTo = (limit: number): number => Math.floor(random() * limit)
  const bytes = readFileSync(path)
  const places = 1 + upTo(30)
  for (let count = 0; count < places; count++) {
    const from = (1 + upTo(bytes.length / pageBytes - 1)) * pageBytes + offset()
    bytes.fill(random() < 0.3 ? 0 : upTo(256), from, Math.min(from + 1 + upTo(700), bytes.length))
  }
  writeFileSync(path, bytes)
}
