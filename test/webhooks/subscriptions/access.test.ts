/** Each type of event has an access; a subscription gets the events that its creator may see. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { Type } from 'typebox'
import { type Feature, product } from '../../../src/index.ts'
import type { Client } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { newProduct } from '../../support/orders.ts'
import { person, type TestTenant, uniqueName } from '../../support/service.ts'
import {
  type Delivery,
  deliveries,
  publish,
  type Scene,
  setScene,
} from '../../support/webhooks/delivery-scene.ts'
import { openPortal } from '../portal/portal.ts'
import { changeSubscription, path, readSubscription, register } from './registration.ts'

const SecretTold = Type.Object({ productId: Type.String({ format: 'uuid' }) })

/** Whose subscription field forgets what its event asks for. */
const secrets: Feature = {
  name: 'secret',
  events: { 'secret.told': { summary: 'A secret was told.', payload: SecretTold, access: 'admin' } },
  graphql: {
    subscriptions: {
      onSecretTold: {
        description: 'A product.',
        event: 'secret.told',
        entity: product.model,
        idOf: ({ productId }: { productId: string }) => productId,
      },
      onProductSeen: {
        description: 'A product.',
        event: 'product.created',
        entity: product.model,
        idOf: ({ productId }: { productId: string }) => productId,
      },
    },
  },
}

const trusted = 'Only an administrator may do this: the subscription gets events for administrators.'

onEitherDatabase('The access of events', (database) => {
  let scene: Scene
  before(async () => {
    scene = await setScene(database, {}, { features: [secrets] })
  })
  after(() => scene[Symbol.asyncDispose]())

  /** What the user may see, and what the user may not. */
  const changeAll = async ({ id, admin, user }: TestTenant): Promise<void> => {
    const { id: productId } = await newProduct(user)
    await publish(user, 'user.greeted')
    await publish(admin, 'secret.told', { productId })
    assert.equal((await admin.post('/api/users', person('late'))).status, 201)
    assert.equal((await scene.service.host.put(`/api/tenants/${id}`, { plan: 'gold' })).status, 200)
  }
  const seen = ['product.created', 'user.greeted']
  const unseen = ['secret.told', 'tenant.updated', 'user.created']

  const kinds = {
    'in the shared database': () => ({}),
    'in a database of its own': () => ({ connectionString: `sqlite:${uniqueName('own')}.db` }),
  }
  for (const [kind, members] of Object.entries(kinds)) {
    it(`decides for a tenant ${kind} what * and prefixes mean`, async () => {
      const tenant = await scene.service.newTenant(members())
      const [all, nouns, most] = [await scene.receiver(), await scene.receiver(), await scene.receiver()]
      await register(tenant.user, { url: all.url, events: ['*'] })
      await register(tenant.user, { url: nouns.url, events: ['user.*', 'tenant.*', 'secret.*'] })
      await register(tenant.admin, { url: most.url, events: ['*'] })
      await scene.look()
      for (const { requests } of [all, nouns, most]) requests.length = 0 // what is told of the new tenant
      await changeAll(tenant)
      await scene.look()
      await scene.look()
      const typesAt = ({ requests }: typeof all) =>
        requests.map(({ body }) => JSON.parse(body).type).toSorted()
      assert.deepEqual(typesAt(most), [...seen, ...unseen].toSorted())
      assert.deepEqual(typesAt(all), seen)
      assert.deepEqual(typesAt(nouns), ['user.greeted'])
    })
  }

  it('refuses a user who names what administrators alone may see', async () => {
    const { admin, user } = await scene.service.newTenant()
    const events = ['order.created', 'user.created', 'secret.told']
    const refusal = 'Only an administrator may subscribe to user.created, secret.told.'
    assertError(await user.post(path, { url: 'https://example.com/', events }), 403, refusal)
    assertError(await user.post('/api/v1/webhooks', { url: 'https://example.com/', events }), 403, refusal)
    const { id } = await register(user)
    assertError(await changeSubscription(user, id, { events }), 403, refusal)
    assert.equal((await changeSubscription(admin, id, { events })).status, 200)
  })

  it('keeps what is for administrators from a portal that would lead it elsewhere', async () => {
    const { admin } = await scene.service.newTenant()
    const { id } = await register(admin, { events: ['*'], customer: '7' })
    const portal = await openPortal(admin, scene.service.anonymous, {
      customer: '7',
      events: ['order.*'],
      readOnly: false,
    })
    const attempts = [
      await changeSubscription(portal.client, id, { url: 'https://example.com/mine' }),
      await changeSubscription(portal.client, id, { isActive: false }),
      await changeSubscription(portal.client, id, { events: ['order.*'] }),
      await portal.client.post(`${path}/${id}/rotate-secret`),
      await portal.client.post(`${path}/${id}/recover`, { since: '2026-01-01T00:00:00Z' }),
      await portal.client.delete(`${path}/${id}`),
    ]
    for (const answer of attempts) assertError(answer, 403, trusted)
    assert.equal((await readSubscription(portal.client, id)).url, 'https://example.com/hooks')
    // What still waits goes on to where the administrator has said.
    assert.equal((await changeSubscription(admin, id, { events: ['order.*'] })).status, 200)
    assertError(
      await changeSubscription(portal.client, id, { url: 'https://example.com/mine' }),
      403,
      trusted,
    )
    assert.equal((await admin.delete(`${path}/${id}`)).status, 204)
  })

  it('lets a portal change what an administrator has made for events that every user may see', async () => {
    const { admin } = await scene.service.newTenant()
    const { id } = await register(admin, { events: ['order.*'], customer: '7' })
    const { client } = await openPortal(admin, scene.service.anonymous, { customer: '7', readOnly: false })
    assert.equal((await changeSubscription(client, id, { url: 'https://example.com/other' })).status, 200)
    assert.equal((await client.delete(`${path}/${id}`)).status, 204)
  })

  it('keeps from a portal what whoever has opened it may not see', async () => {
    const { admin, user } = await scene.service.newTenant()
    const permissions = ['webhook:portal', 'webhook:read', 'webhook:write', 'event:read', 'product:read']
    const made = await admin.post('/api/api-keys', { name: 'Portal', permissions })
    const key = scene.service.anonymous.withToken(made.body.key)
    const { client } = await openPortal(key, scene.service.anonymous, { readOnly: false })
    const mine = { url: 'https://example.com/mine' }
    for (const events of [['order.created'], ['product.*', 'order.*'], ['*']]) {
      const { id } = await register(user, { events })
      const attempts = [
        await changeSubscription(client, id, mine),
        await changeSubscription(client, id, { ...mine, events: ['product.*'] }),
        await client.post(`${path}/${id}/rotate-secret`),
        await client.post(`${path}/${id}/recover`, { since: '2026-01-01T00:00:00Z' }),
        await client.delete(`${path}/${id}`),
      ]
      const text = /^The subscription gets \w+\.\w+, which whoever opened this portal session may not see\.$/
      for (const answer of attempts) assertError(answer, 403, text)
    }
    const { id } = await register(user, { events: ['product.*'] })
    assert.equal((await changeSubscription(client, id, mine)).status, 200)
  })

  it('does not rise when an administrator changes something else than the events', async () => {
    const tenant = await scene.service.newTenant()
    const receiver = await scene.receiver()
    const { id } = await register(tenant.user, { url: receiver.url, events: ['*'] })
    assert.equal((await changeSubscription(tenant.admin, id, { retrySeconds: [1] })).status, 200)
    await scene.look()
    receiver.requests.length = 0
    await changeAll(tenant)
    await scene.look()
    assert.equal(receiver.requests.length, seen.length)
    assert.equal((await changeSubscription(tenant.admin, id, { events: ['*'] })).status, 200)
    await tenant.admin.post('/api/users', person('later'))
    await scene.look()
    assert.equal(JSON.parse(receiver.requests.at(-1)?.body ?? '{}').type, 'user.created')
  })

  it('holds for the log of deliveries and for replays', async () => {
    const tenant = await scene.service.newTenant()
    const { admin } = tenant
    const receiver = await scene.receiver()
    const { id } = await register(admin, { url: receiver.url, events: ['*'], customer: '7' })
    const { client } = await openPortal(admin, scene.service.anonymous, { customer: '7', readOnly: false })
    await scene.look()
    await changeAll(tenant)
    await scene.look()
    const all = await deliveries(admin)
    const isHidden = ({ eventType }: Delivery) => unseen.includes(eventType)
    assert.equal(all.filter(isHidden).length >= unseen.length, true)
    const visible = all.filter((each) => !/^(user\.created|tenant\.|secret\.)/.test(each.eventType))
    assert.deepEqual(await deliveries(client), visible)
    assert.deepEqual((await client.get(`${path}/${id}/deliveries`)).body.toReversed(), visible)
    assert.deepEqual((await client.get('/api/webhooks/deliveries?eventType=user.created')).body, [])
    const absent = await client.get(`/api/webhooks/deliveries/${id}`)
    for (const each of all.filter(isHidden)) {
      const address = `/api/webhooks/deliveries/${each.id}`
      assert.equal((await client.get(address)).text, absent.text)
      assertError(await client.post(`${address}/replay`), 404, 'There is no such delivery.')
      assert.equal((await admin.get(address)).status, 200)
    }
    const [first] = visible
    assert.equal((await client.post(`/api/webhooks/deliveries/${first?.id}/replay`)).status, 202)
  })

  it('holds for subscriptions of GraphQL, whatever their field says', async () => {
    const tenant = await scene.service.newTenant()
    const follow = (client: Client) =>
      client.post(
        '/graphql',
        { query: 'subscription { onSecretTold { id } }' },
        { accept: 'text/event-stream' },
      )
    const { body, text } = await follow(tenant.user)
    assert.match(JSON.stringify(body) + text, /AUTH_NOT_AUTHORIZED/)
    const key = await tenant.admin.post('/api/api-keys', { name: 'Shop', permissions: ['webhook:read'] })
    const followed = await scene.service.anonymous
      .withToken(key.body.key)
      .post('/graphql', { query: 'subscription { onProductSeen { id } }' }, { accept: 'text/event-stream' })
    assert.match(followed.text, /This event requires the permission product:read/)
    const controller = new AbortController()
    const opened = await fetch(`${scene.service.url}/graphql`, {
      method: 'POST',
      headers: { ...tenant.admin.headers, accept: 'text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'subscription { onSecretTold { id } }' }),
      signal: controller.signal,
    })
    assert.match(opened.headers.get('content-type') ?? '', /^text\/event-stream/)
    controller.abort()
  })

  it('is shown by the catalogue', async () => {
    const { body } = await scene.user.get('/api/webhooks/event-types')
    const accessOf = (name: string) => body.find(({ type }: { type: string }) => type === name).access
    assert.deepEqual([...seen.slice(0, 1), ...unseen].map(accessOf), [
      'product:read',
      'admin',
      'admin',
      'admin',
    ])
  })
})
