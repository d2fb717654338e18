/** The customer of a portal gets and sees the events of rows that rules give to the customer. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { listOf, text } from '../../../src/index.ts'
import { migrated } from '../../entity/migrated.ts'
import type { Client } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { person, uniqueName } from '../../support/service.ts'
import { deliveries, type Scene, setScene } from '../../support/webhooks/delivery-scene.ts'
import type { Receiver } from '../../support/webhooks/receiver.ts'
import { comment, membership, team, ticket } from '../row-entities.ts'
import { changeSubscription, path, register } from '../subscriptions/registration.ts'
import { openPortal } from './portal.ts'

onEitherDatabase('Events of rows with rules, in a portal,', (database) => {
  let scene: Scene
  before(async () => {
    const features = migrated([team, membership, ticket, comment])
    scene = await setScene(database, {}, { features, attributes: { regions: listOf(text()) } })
  })
  after(() => scene[Symbol.asyncDispose]())

  const add = async (client: Client, what: string, members: Record<string, unknown>): Promise<string> => {
    const made = await client.post(`/api/${what}s`, members)
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const change = async (client: Client, id: string, members: Record<string, unknown>): Promise<void> => {
    const changed = await client.send('PATCH', `/api/tickets/${id}`, members)
    assert.equal(changed.status, 200, changed.text)
  }
  const subscribed = async (client: Client, members: Record<string, unknown> = {}) => {
    const receiver = await scene.receiver()
    const events = ['ticket.*', 'comment.*']
    const { id } = await register(client, { url: receiver.url, events, ...members })
    return { id, receiver }
  }
  /** What each receiver has got since it was asked last: the last words, in the order of the changes. */
  const got = async (all: Record<string, { receiver: Receiver }>): Promise<Record<string, string[]>> => {
    await scene.look()
    return Object.fromEntries(
      Object.entries(all).map(([name, { receiver }]) => {
        const bodies = receiver.requests.splice(0).map(({ body }) => JSON.parse(body))
        const sorted = bodies.toSorted((one, other) => (one.id < other.id ? -1 : 1))
        return [name, sorted.map(({ type }: { type: string }) => type)]
      }),
    )
  }
  const idsIn = async (client: Client): Promise<string[]> => (await deliveries(client)).map(({ id }) => id)

  it('go to the subscriptions of the customer of a portal whose rows they are', async () => {
    const tenant = await scene.service.newTenant()
    const { admin } = tenant
    const { anonymous } = scene.service
    const full = { readOnly: false, events: ['ticket.*', 'comment.*'] }
    const one = await openPortal(admin, anonymous, { ...full, customer: 'c-1' })
    const two = await openPortal(admin, anonymous, { ...full, customer: 'c-2' })
    const forAll = await openPortal(admin, anonymous, full)
    const all = {
      one: await subscribed(one.client),
      two: await subscribed(two.client),
      byAdmin: await subscribed(admin, { customer: 'c-2' }),
      admin: await subscribed(admin),
    }
    await got(all)
    const created = ['ticket.created']
    const id = await add(admin, 'ticket', { title: 'One', client: 'c-1' })
    assert.deepEqual(await got(all), { one: created, two: [], byAdmin: [], admin: created })
    await change(admin, id, { client: 'c-2' })
    const updated = ['ticket.updated']
    assert.deepEqual(await got(all), { one: updated, two: updated, byAdmin: updated, admin: updated })
    const commented = ['comment.created']
    await add(admin, 'comment', { ticketId: id, body: 'Hello' })
    assert.deepEqual(await got(all), { one: [], two: commented, byAdmin: commented, admin: commented })

    // Whoever changes the customer of a subscription does not give away what it got before.
    const own = (await deliveries(admin, `&subscriptionId=${all.admin.id}`)).length
    assert.equal(own, 3)
    assert.equal((await changeSubscription(admin, all.admin.id, { customer: 'c-1' })).status, 200)
    const typesIn = async (client: Client, subscriptionId: string) =>
      (await deliveries(client, `&subscriptionId=${subscriptionId}`)).map(({ eventType }) => eventType)
    assert.deepEqual(await typesIn(one.client, all.admin.id), ['ticket.created', 'ticket.updated'])
    assert.deepEqual(await typesIn(two.client, all.two.id), ['ticket.updated', 'comment.created'])

    const refused = await forAll.client.post(path, {
      url: 'https://example.com/',
      events: ['ticket.created'],
    })
    assert.equal(refused.status, 403, refused.text)
    assert.deepEqual(await idsIn(forAll.client), [])
    const moved = await changeSubscription(forAll.client, all.one.id, { url: 'https://example.com/' })
    assert.equal(moved.status, 403, moved.text)
  })

  it('are not given to a customer beyond the reach of whoever made the subscription', async () => {
    const tenant = await scene.service.newTenant()
    const userName = uniqueName('member')
    const ada = (await tenant.admin.post('/api/users', person(userName))).body
    const { client } = await scene.service.signIn(userName, tenant.id)
    const all = { ada: await subscribed(client, { customer: 'c-1' }) }
    await got(all)
    await add(tenant.admin, 'ticket', { title: 'One', client: 'c-1' })
    await add(tenant.admin, 'ticket', { title: 'Two', ownerId: ada.id })
    assert.deepEqual(await got(all), { ada: [] })
    await add(tenant.admin, 'ticket', { title: 'Three', client: 'c-1', ownerId: ada.id })
    assert.deepEqual(await got(all), { ada: ['ticket.created'] })
  })
})
