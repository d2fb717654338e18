/** Rules of rows: a caller reads and changes the rows that the rules give, by every way of REST and GraphQL. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import { any, entity, integer, like, oneOf, reference, text, user } from '../../src/index.ts'
import type { Client } from '../support/client.ts'
import { onEachDatabase } from '../support/databases.ts'
import { person, startService, type TestService, type TestTenant } from '../support/service.ts'
import { migrated } from './migrated.ts'

const team = entity('team', { fields: { name: text() } })
const teamMember = entity('teamMember', {
  fields: { team: reference(team), member: user() },
})
const customer = entity('customer', {
  fields: { name: text(), owner: user().optional() },
})
const ticket = entity('ticket', {
  fields: {
    title: text(),
    state: oneOf('open', 'closed').default('open'),
    weight: integer().default(1),
    customer: reference(customer).optional(),
    team: reference(team).optional(),
    assignee: user().optional(),
  },
  search: ['title'],
  actions: { close: { from: { state: 'open' }, to: { state: 'closed' } } },
  access: {
    rows: {
      read: ({ row, actor }) =>
        any(
          row.assignee.is(actor.id),
          row.at('customer.owner').is(actor.id),
          row.team.in(actor.via(teamMember, 'member', 'team')),
        ),
      create: ({ row, actor }) => any(row.assignee.is(actor.id), row.at('customer.owner').is(actor.id)),
      update: ({ row, actor }) => row.assignee.is(actor.id),
      delete: ({ actor }) => actor.may('ticket:remove'),
    },
  },
})
const comment = entity('comment', {
  fields: { ticket: reference(ticket), body: text() },
  access: { rows: like('ticket') },
})

onEachDatabase('Rules of rows', (database) => {
  let service: TestService
  let tenant: TestTenant
  const ids: Record<string, string> = {}
  let ada: Client
  let bob: Client

  before(async () => {
    service = await startService(
      database,
      {},
      { features: migrated([team, teamMember, customer, ticket, comment]) },
    )
    tenant = await service.newTenant()
    const make = async (name: string, path: string, body: object) => {
      const { body: made } = await tenant.admin.post(path, body)
      ids[name] = made.id
      return made.id
    }
    for (const name of ['ada', 'bob']) await make(name, '/api/users', person(name))
    ;[ada, bob] = (await Promise.all(
      ['ada', 'bob'].map(async (name) => (await service.signIn(name, tenant.id)).client),
    )) as [Client, Client]
    await make('red', '/api/teams', { name: 'red' })
    await make('member', '/api/team-members', { teamId: ids['red'], memberId: ids['bob'] })
    await make('acme', '/api/customers', { name: 'acme', ownerId: ids['ada'] })
    await make('other', '/api/customers', { name: 'other' })
    await make('ofAda', '/api/tickets', { title: 'of ada', assigneeId: ids['ada'] })
    await make('ofAcme', '/api/tickets', { title: 'of acme', customerId: ids['acme'], weight: 5 })
    await make('ofRed', '/api/tickets', { title: 'of red', teamId: ids['red'], weight: 7 })
    await make('ofNobody', '/api/tickets', { title: 'of nobody', customerId: ids['other'], weight: 100 })
    for (const name of ['ofAda', 'ofRed', 'ofNobody'])
      await make(`on ${name}`, '/api/comments', { ticketId: ids[name], body: `on ${name}` })
  })
  after(() => service.stop())

  const titles = async (client: Client, query = '') => {
    const { body } = await client.get(`/api/tickets${query}`)
    return body.map(({ title }: { title: string }) => title)
  }

  it('bound lists, filters, searches and counts', async () => {
    assert.deepEqual(await titles(ada), ['of ada', 'of acme'])
    assert.deepEqual(await titles(bob), ['of red'])
    assert.equal((await titles(tenant.admin)).length, 4)
    assert.deepEqual(await titles(ada, '?sort=-weight'), ['of acme', 'of ada'])
    assert.deepEqual(await titles(ada, '?search=of'), ['of ada', 'of acme'])
    assert.deepEqual(await titles(ada, '?search=nobody'), [])
    const counted = await ada.get('/api/tickets?count=true&limit=1')
    assert.equal(counted.headers.get('x-total-count'), '2')
  })

  it('bound lists, pages, relations and aggregates of GraphQL', async () => {
    const document = `{
      tickets { nodes { title team { name } customer { name } } totalCount }
      ticketsAggregate(groupBy: []) { count }
      ticket(id: "${ids['ofNobody']}") { title }
      comments { nodes { body ticket { title } } }
    }`
    const { body } = await ada.post('/graphql', { query: document })
    assert.deepEqual(body, {
      data: {
        tickets: {
          nodes: [
            { title: 'of ada', team: null, customer: null },
            { title: 'of acme', team: null, customer: { name: 'acme' } },
          ],
          totalCount: 2,
        },
        ticketsAggregate: [{ count: 2 }],
        ticket: null,
        comments: { nodes: [{ body: 'on ofAda', ticket: { title: 'of ada' } }] },
      },
    })
  })

  it('take `me` for the caller in filters of users', async () => {
    assert.deepEqual(await titles(ada, '?assigneeId=me'), ['of ada'])
    assert.deepEqual(await titles(ada, '?assigneeId[neq]=me'), ['of acme'])
    assert.deepEqual(await titles(tenant.admin, '?assigneeId=me'), [])
    assert.deepEqual(await titles(tenant.admin, `?assigneeId[in]=me,${ids['ada']}`), ['of ada'])
  })

  it('name users of the tenant only', async () => {
    const { body: other } = await service.host.post('/api/users', person('stranger'))
    for (const assigneeId of [other.id, '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11']) {
      const refused = await tenant.admin.post('/api/tickets', { title: 'x', assigneeId })
      assert.deepEqual([refused.status, refused.body], [400, { message: 'assigneeId: names no user' }])
    }
  })

  it('make an invisible row one that does not exist', async () => {
    const unknown = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { title: 'mine' }],
      ['DELETE', undefined],
    ] as const) {
      const hidden = await ada.send(method, `/api/tickets/${ids['ofNobody']}`, body)
      const none = await ada.send(method, `/api/tickets/${unknown}`, body)
      assert.deepEqual([hidden.status, hidden.text], [none.status, none.text], method)
      assert.equal(hidden.status, 404)
    }
  })

  it('refuse changes of rows that are only seen', async () => {
    assert.equal((await ada.patch(`/api/tickets/${ids['ofAcme']}`, { title: 'mine' })).status, 403)
    assert.equal((await ada.send('DELETE', `/api/tickets/${ids['ofAda']}`)).status, 403)
    assert.equal((await ada.post(`/api/tickets/${ids['ofAcme']}/close`)).status, 403)
    assert.equal((await ada.patch(`/api/tickets/${ids['ofAda']}`, { title: 'of ada' })).status, 200)
  })

  it('refuse a row that would be out of reach', async () => {
    assert.equal((await ada.post('/api/tickets', { title: 'foreign' })).status, 403)
    assert.equal((await ada.post('/api/tickets', { title: 'foreign', assigneeId: ids['bob'] })).status, 403)
    assert.equal((await ada.patch(`/api/tickets/${ids['ofAda']}`, { assigneeId: ids['bob'] })).status, 403)
    assert.deepEqual(await titles(ada), ['of ada', 'of acme'])
    assert.equal((await titles(tenant.admin)).length, 4)
  })

  it('answer a repeated request for a row that is still in reach alone', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const send = () => ada.post('/api/tickets', { title: 'once', assigneeId: ids['ada'] }, key)
    const made = await send()
    assert.equal(made.status, 201)
    assert.deepEqual((await send()).body, made.body)
    const one = `/api/tickets/${made.body.id}`
    assert.equal((await tenant.admin.patch(one, { assigneeId: ids['bob'] })).status, 200)
    const lost = await send()
    assert.deepEqual([lost.status, lost.text], [404, (await ada.get(one)).text])
    assert.equal((await tenant.admin.delete(one)).status, 204)
  })

  it('are inherited', async () => {
    const bodies = async (client: Client) =>
      (await client.get('/api/comments')).body.map(({ body }: { body: string }) => body)
    assert.deepEqual(await bodies(ada), ['on ofAda'])
    assert.deepEqual(await bodies(bob), ['on ofRed'])
    const onHidden = await ada.post('/api/comments', { ticketId: ids['ofNobody'], body: 'x' })
    const onNone = await ada.post('/api/comments', {
      ticketId: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11',
      body: 'x',
    })
    assert.deepEqual([onHidden.status, onHidden.text], [onNone.status, onNone.text])
    assert.equal(onHidden.status, 400)
  })
})
