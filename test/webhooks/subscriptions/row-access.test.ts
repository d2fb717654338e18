/** A subscription gets the events of rows with rules that its owner reached, before the change or after it. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { listOf, text } from '../../../src/index.ts'
import { migrated } from '../../entity/migrated.ts'
import type { Client } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { person, type TestTenant, uniqueName } from '../../support/service.ts'
import { answering, deliveries, type Scene, setScene } from '../../support/webhooks/delivery-scene.ts'
import type { Receiver } from '../../support/webhooks/receiver.ts'
import { openPortal } from '../portal/portal.ts'
import { comment, membership, team, ticket } from '../row-entities.ts'
import { path, register } from './registration.ts'

const canary = 'canary-5f0f5d5b'

interface Member {
  id: string
  client: Client
}

onEitherDatabase('The events of rows with rules', (database) => {
  let scene: Scene
  before(async () => {
    const features = migrated([team, membership, ticket, comment])
    scene = await setScene(database, {}, { features, attributes: { regions: listOf(text()) } })
  })
  after(() => scene[Symbol.asyncDispose]())

  const newMember = async (
    { admin, id: tenantId }: TestTenant,
    members: Record<string, unknown> = {},
  ): Promise<Member> => {
    const userName = uniqueName('member')
    const made = await admin.post('/api/users', person(userName, members))
    assert.equal(made.status, 201, made.text)
    return { id: made.body.id, client: (await scene.service.signIn(userName, tenantId)).client }
  }
  const newKey = async ({ admin }: TestTenant, members: Record<string, unknown>): Promise<Member> => {
    const permissions = ['webhook:read', 'webhook:write', 'ticket:read', 'comment:read']
    const made = await admin.post('/api/api-keys', { name: 'Shop', permissions, ...members })
    assert.equal(made.status, 201, made.text)
    return { id: made.body.id, client: scene.service.anonymous.withToken(made.body.key) }
  }
  const add = async (client: Client, what: string, members: Record<string, unknown>): Promise<string> => {
    const made = await client.post(`/api/${what}s`, members)
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const change = async (client: Client, id: string, members: Record<string, unknown>): Promise<void> => {
    const changed = await client.send('PATCH', `/api/tickets/${id}`, members)
    assert.equal(changed.status, 200, changed.text)
  }
  const subscribed = async (client: Client, members: Record<string, unknown> = {}, answer?: number) => {
    const receiver = await scene.receiver(answer === undefined ? undefined : answering(answer))
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

  const kinds = {
    'in the shared database': () => ({}),
    'in a database of its own': () => ({ connectionString: `sqlite:${uniqueName('own')}.db` }),
  }
  for (const [kind, members] of Object.entries(kinds)) {
    it(`go to those who reached the row, of a tenant ${kind}`, async () => {
      const tenant = await scene.service.newTenant(members())
      const { admin } = tenant
      const [ada, bob] = [await newMember(tenant), await newMember(tenant)]
      const north = await newMember(tenant, { attributes: { regions: ['north', 'east'] } })
      const actingKey = await newKey(tenant, { actsFor: ada.id })
      const regionalKey = await newKey(tenant, { attributes: { regions: ['north'] } })
      const all = {
        ada: await subscribed(ada.client),
        adasOther: await subscribed(ada.client, { events: ['*'] }),
        bob: await subscribed(bob.client),
        north: await subscribed(north.client),
        actingKey: await subscribed(actingKey.client),
        regionalKey: await subscribed(regionalKey.client),
        plainKey: await subscribed((await newKey(tenant, {})).client),
        admin: await subscribed(admin),
      }
      const none = Object.fromEntries(Object.keys(all).map((name) => [name, [] as string[]]))
      const expect = async (expected: Record<string, string[]>) =>
        assert.deepEqual(await got(all), { ...none, ...expected })
      await got(all)

      const created = ['ticket.created']
      const id = await add(admin, 'ticket', { title: 'One', ownerId: ada.id, secret: canary })
      await expect({ ada: created, adasOther: created, actingKey: created, admin: created })
      const updated = ['ticket.updated']
      await change(admin, id, { ownerId: bob.id })
      await expect({ ada: updated, adasOther: updated, actingKey: updated, bob: updated, admin: updated })
      await change(admin, id, { title: 'Two', secret: `${canary}2` })
      await expect({ bob: updated, admin: updated })
      const commented = ['comment.created']
      await add(admin, 'comment', { ticketId: id, body: 'Hello' })
      await expect({ bob: commented, admin: commented })
      await change(admin, id, { region: 'north', ownerId: null })
      await expect({ bob: updated, north: updated, regionalKey: updated, admin: updated })

      const teamId = await add(admin, 'team', { name: 'Support' })
      await got(all)
      await change(admin, id, { teamId, region: 'south' })
      await expect({ north: updated, regionalKey: updated, admin: updated })
      const given = await add(admin, 'membership', { teamId, memberId: ada.id })
      await got(all)
      await change(admin, id, { title: 'Three' })
      await expect({ ada: updated, adasOther: updated, actingKey: updated, admin: updated })
      assert.equal((await admin.delete(`/api/memberships/${given}`)).status, 204)
      await got(all)
      await change(admin, id, { title: 'Four' })
      await expect({ admin: updated })

      const deleted = ['ticket.deleted']
      const other = await add(admin, 'ticket', { title: 'Other', ownerId: bob.id })
      await got(all)
      assert.equal((await admin.delete(`/api/tickets/${other}`)).status, 204)
      await expect({ bob: deleted, admin: deleted })
    })
  }

  it('are those of everybody who reaches the rows alike, with one decision', async () => {
    const tenant = await scene.service.newTenant()
    const regions = { attributes: { regions: ['west'] } }
    const all = {
      one: await subscribed((await newMember(tenant, regions)).client),
      two: await subscribed((await newMember(tenant, regions)).client),
    }
    await got(all)
    for (const region of ['west', 'east', 'west'])
      await add(tenant.admin, 'ticket', { title: region, region })
    const expected = ['ticket.created', 'ticket.created']
    assert.deepEqual(await got(all), { one: expected, two: expected })
  })

  it('may be subscribed to with the permission to read rows, as the list of types says', async () => {
    const tenant = await scene.service.newTenant()
    const key = await newKey(tenant, { permissions: ['webhook:read', 'webhook:write', 'event:read'] })
    const events = ['ticket.created']
    const refusal = 'Subscribing to ticket.created requires the permission ticket:read.'
    assertError(await key.client.post(path, { url: 'https://example.com/', events }), 403, refusal)
    const types = (await key.client.get('/api/webhooks/event-types')).body
    const { access, isByRow } = types.find(({ type }: { type: string }) => type === 'ticket.created')
    assert.deepEqual([access, isByRow], ['ticket:read', true])
  })

  it('are not sent, shown, replayed or recovered while the owner does not reach the row', async () => {
    const tenant = await scene.service.newTenant()
    const { admin } = tenant
    const ada = await newMember(tenant)
    const teamId = await add(admin, 'team', { name: 'Support' })
    const give = () => add(admin, 'membership', { teamId, memberId: ada.id })
    const given = await give()
    const events = ['ticket.created']
    const { id, receiver } = await subscribed(ada.client, { events }, 500)
    const sent = await subscribed(ada.client, { events })
    await add(admin, 'ticket', { title: 'One', teamId, secret: canary })
    await scene.look()
    const ids = await idsIn(ada.client)
    assert.equal(ids.length, 2)
    const [waiting] = await deliveries(ada.client, `&subscriptionId=${id}`)
    const [done] = await deliveries(ada.client, `&subscriptionId=${sent.id}`)
    assert.ok(waiting && done)

    assert.equal((await admin.delete(`/api/memberships/${given}`)).status, 204)
    assert.deepEqual(await idsIn(ada.client), [])
    const at = `/api/webhooks/deliveries/${done.id}`
    assert.equal((await ada.client.get(at)).status, 404)
    const missing = await ada.client.post(`/api/webhooks/deliveries/${crypto.randomUUID()}/replay`, {})
    const refused = await ada.client.post(`${at}/replay`, {})
    assert.deepEqual([refused.status, refused.body.detail], [404, missing.body.detail])
    const query = '{ webhookDeliveries { totalCount nodes { id } } }'
    const listed = (await ada.client.post('/graphql', { query })).body.data.webhookDeliveries
    assert.deepEqual(listed, { totalCount: 0, nodes: [] })
    const requests = receiver.requests.length
    assert.equal((await admin.post(`/api/webhooks/deliveries/${waiting.id}/replay`, {})).status, 202)
    await scene.look()
    assert.equal(receiver.requests.length, requests)
    const [kept] = await deliveries(admin, '&status=KEPT')
    assert.equal(kept?.reason, 'forbidden')
    const since = '2020-01-01T00:00:00Z'
    const recover = (dryRun: boolean) => ada.client.post(`${path}/${id}/recover`, { since, dryRun })
    assert.equal((await recover(true)).body.deliveries, 0)
    assert.equal((await recover(false)).body.deliveries, 0)
    assert.equal((await admin.get(`/api/webhooks/deliveries/${kept?.id}`)).status, 200)

    await give()
    assert.deepEqual((await idsIn(ada.client)).toSorted(), [...ids, kept?.id].toSorted())
    const shown = await ada.client.get(at)
    assert.equal(shown.status, 200)
    assert.equal(shown.body.event.data.title, 'One')
    assert.ok(!shown.text.includes(canary))
    sent.receiver.requests.length = 0
    assert.equal((await ada.client.post(`${at}/replay`, {})).status, 202)
    await scene.look()
    assert.equal(sent.receiver.requests.length, 1)
    assert.equal((await recover(true)).body.deliveries, 1)
    assert.equal((await recover(false)).body.deliveries, 1)
    await scene.look()
    assert.equal(receiver.requests.length, requests + 1)
  })

  it('go to nobody but holders of the permission for all rows if the event keeps no state of the row', async () => {
    const tenant = await scene.service.newTenant()
    const ada = await newMember(tenant)
    const all = { ada: await subscribed(ada.client), admin: await subscribed(tenant.admin) }
    await got(all)
    const data = { ticketId: crypto.randomUUID(), title: 'By hand', ownerId: ada.id, teamId: null }
    const payload = { ...data, client: null, region: null }
    const published = await tenant.admin.post('/api/events', { type: 'ticket.created', data: payload })
    assert.equal(published.status, 202, published.text)
    assert.deepEqual(await got(all), { ada: [], admin: ['ticket.created'] })
  })

  it('show no hidden member, to nobody', async () => {
    const tenant = await scene.service.newTenant()
    const ada = await newMember(tenant)
    const portal = await openPortal(tenant.admin, scene.service.anonymous, {
      customer: 'c-1',
      readOnly: false,
    })
    const all = {
      ada: await subscribed(ada.client),
      admin: await subscribed(tenant.admin),
      customer: await subscribed(tenant.admin, { customer: 'c-1' }),
    }
    const members = { title: 'One', ownerId: ada.id, client: 'c-1', secret: canary }
    const id = await add(tenant.admin, 'ticket', members)
    await change(tenant.admin, id, { secret: `${canary}2` })
    await scene.look()
    for (const client of [ada.client, tenant.admin, portal.client]) {
      const seen = await deliveries(client)
      assert.ok(seen.length >= 2, `${seen.length} deliveries`)
      for (const each of seen) {
        const { text: shown } = await client.get(`/api/webhooks/deliveries/${each.id}`)
        assert.ok(shown.includes('ticketId') && !shown.includes(canary))
        await client.post(`/api/webhooks/deliveries/${each.id}/replay`, {})
      }
    }
    await scene.look()
    for (const { receiver } of Object.values(all)) {
      assert.ok(receiver.requests.length >= 2)
      assert.ok(!JSON.stringify(receiver.requests).includes(canary))
    }
  })
})
