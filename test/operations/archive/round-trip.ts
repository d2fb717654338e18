/** A full tenant goes from one installation to another, where everything acknowledged before still holds. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { DatabaseName } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { person, type TestService } from '../../support/service.ts'
import { digestOf, newVictim } from '../../support/victim.ts'
import { delivery } from '../../support/webhooks/delivery-scene.ts'
import { send } from '../../support/webhooks/provider.ts'
import {
  customHeaders,
  type FullTenant,
  fillTenant,
  listsOf,
  repeatables,
  setIdentityProvider,
  webhookSecret,
} from './full-tenant.ts'
import { ArchiveScene, type Place } from './installations.ts'

export interface Direction {
  /** The catalogue, and where the tenant's rows are. */
  from: [DatabaseName, Place]
  to: [DatabaseName, Place]
}

export function goesAlong({ from, to }: Direction): void {
  it(`goes along from ${from.join(', rows ')} to ${to.join(', rows ')}`, async () => {
    await using scene = new ArchiveScene()
    const source = await scene.installation(from[0])
    const target = await scene.installation(to[0], source)
    const connection = await scene.connection(from[1])
    const members = connection === null ? {} : { connectionString: connection }
    const beside = await newVictim(source, members)
    const other = await newVictim(target)
    const tenant = await fillTenant(scene, source, members)
    await setIdentityProvider(scene, source, tenant)
    const before = { lists: await listsOf(tenant), other: await digestOf(other) }

    const archive = await scene.export(source, tenant.id)
    assert.ok(!readFileSync(archive).includes(beside.canary), 'something of another tenant is in it')
    assert.ok(readFileSync(archive).includes(tenant.canary))
    assert.equal(tenant.receiver.requests.length, 0)
    await scene.import(target, archive, { to: await scene.connection(to[1]) })

    await isSentWhatWaited(tenant)
    const users = await signInAll(target, tenant)
    const lists = await listsOf(users)
    for (const [path, rows] of before.lists)
      tenantExists(path, rows, lists.get(path) ?? [], tenant.subscription)
    await hasTheLog(users, tenant, before.lists)
    await isDoneOnce(users, tenant)
    await goesOn(target, users, tenant)
    assert.equal(await digestOf(other), before.other)
  })
}

/** The old password of each. */
async function signInAll(target: TestService, { id, canary }: FullTenant) {
  const admin = (await target.signIn('boss', id)).client
  await target.signIn(`user-${canary}`, id)
  return { admin, user: (await target.signIn('worker', id)).client }
}

/** The pending event, and the one about the user in the catalogue: signed as before, each once. */
async function isSentWhatWaited({ receiver, waiting, done }: FullTenant): Promise<void> {
  const told = () => receiver.requests.map(({ body }) => JSON.parse(body))
  await eventually('both events', soonMs, async () => told().length >= 2)
  const [event, user] = told().toSorted((a, b) => (a.type < b.type ? -1 : 1))
  assert.deepEqual([event.id, event.data.text], [waiting, 'später 🐌'])
  assert.deepEqual([user.type, user.data.userId], ['user.created', done.user.body.id])
  for (const { body, headers } of receiver.requests) {
    assert.equal(headers['x-token'], customHeaders['x-token'])
    new Webhook(webhookSecret).verify(body, headers as Record<string, string>) // each stands once
  }
}

/** Deliveries and audit have grown since, and the figures of the subscription that was sent to. */
function tenantExists(path: string, rows: unknown[], found: unknown[], subscription: string): void {
  const byId = new Map(found.map((row) => [identityOf(row), row]))
  const isGrowing = /\/(audit|deliveries)/.test(path)
  if (!isGrowing) assert.equal(found.length, rows.length, path)
  for (const row of rows) {
    const same = byId.get(identityOf(row))
    if (identityOf(row) !== subscription) assert.deepEqual(same, row, path)
    else assert.deepEqual(plain(same), plain(row))
  }
}

function identityOf(row: unknown): unknown {
  const { id, provider, name, type, action } = row as Record<string, unknown> // every list has rows with one of them
  return id ?? provider ?? name ?? type ?? action
}

/** A subscription without the figures of its deliveries. */
function plain(row: unknown): object {
  const { url, events, secret, secrets, headers, retrySeconds, isActive, createdAt } = row as Record<
    string,
    unknown
  > // likewise
  return { url, events, secret, secrets, headers, retrySeconds, isActive, createdAt }
}

async function hasTheLog(
  { user }: Awaited<ReturnType<typeof signInAll>>,
  { names }: FullTenant,
  lists: Map<string, unknown[]>,
): Promise<void> {
  const log = lists.get('/api/webhooks/deliveries/:id') as { id: string; attempts: number }[] // read from there
  assert.ok(log.some(({ attempts }) => attempts > 0))
  for (const row of log) assert.deepEqual(await delivery(user, row.id), row)
  assert.equal((await user.get(`/api/webhooks/receipts/${names.receipt}`)).status, 200)
}

async function isDoneOnce(users: Awaited<ReturnType<typeof signInAll>>, { done }: FullTenant): Promise<void> {
  const again = await repeatables(users)
  for (const [what, { headers, body }] of Object.entries(again)) {
    assert.equal(headers.get('idempotency-replayed'), 'true', what)
    assert.deepEqual(body, done[what as keyof typeof done].body) // the same names on both sides
  }
  const reused = { name: 'Another', price: 4 }
  const { status } = await users.user.post('/api/products', reused, { 'idempotency-key': 'once-and-for-all' })
  assert.equal(status, 422)
}

/** Numbers, incoming webhooks with the old secret, events and users continue. */
async function goesOn(
  target: TestService,
  { user, admin }: Awaited<ReturnType<typeof signInAll>>,
  tenant: FullTenant,
): Promise<void> {
  const item = { productId: tenant.names.product, quantity: 2 }
  const order = await user.post('/api/orders', { customerId: 'next', items: [item] })
  assert.deepEqual([order.status, order.body.number], [201, 2])
  const twice = await send(target, tenant, '{"id":"one","type":"thing","text":"\\u0000 Ω"}', null, 'bytes')
  assert.deepEqual(twice.body, { received: true, id: tenant.received }, twice.text)
  assert.equal((await admin.post('/api/users', person('later'))).status, 201)
  await eventually('the next event', soonMs, async () => tenant.receiver.requests.length === 3)
}
