/** Lists that continue late: by then a changed row is another one, or the row by which it was reached is gone. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { entity, like, reference, text, user } from '../../../src/index.ts'
import { migrated } from '../../entity/migrated.ts'
import type { Client } from '../../support/client.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { EventReader } from '../../support/graphql/event-reader.ts'
import { atAnyCost, person, startService, type TestService, type TestTenant } from '../../support/service.ts'
import { errorCodes } from '../graphql/error-codes.ts'
import { LiveReader } from './live-reader.ts'

const access = { read: 'user', write: 'user' } as const
const project = entity('project', {
  live: true,
  fields: { name: text(), owner: user().optional() },
  access: { ...access, rows: ({ row, actor }) => row.owner.is(actor.id) },
})
const ticket = entity('ticket', {
  live: true,
  fields: { title: text(), project: reference(project), secret: text().optional() },
  access: {
    ...access,
    rows: ({ row, actor }) => row.at('project.owner').is(actor.id),
    fields: { secret: { read: 'ticket:secret' } },
  },
})
const comment = entity('comment', {
  live: true,
  fields: { body: text(), ticket: reference(ticket) },
  access: { ...access, rows: like('ticket') },
})
/** Together its texts take more than the 2 KiB that an event keeps of a row; each of them is kept. */
const places = Array.from({ length: 12 }, (_each, place) => `text${place}`)
const sheet = entity('sheet', {
  live: true,
  fields: Object.fromEntries(places.map((name) => [name, text()])),
  access,
})
const features = migrated([project, ticket, comment, sheet])
/** The events that a stream which continues gets at once. */
const eventsAtOnce = 100

onEachDatabase('Lists that continue late', (database) => {
  let service: TestService
  let tenant: TestTenant
  let ada: Client
  let adaId: string
  let projectId: string
  before(async () => {
    service = await startService(database, {}, { ...atAnyCost, features })
    tenant = await service.newTenant()
    adaId = await made('users', { ...person('ada'), roles: ['User'] })
    ada = (await service.signIn('ada', tenant.id)).client
    projectId = await made('projects', { name: 'Hers', ownerId: adaId })
  })
  after(() => service.stop())

  async function made(what: string, members: object): Promise<string> {
    const { status, text: reply, body } = await tenant.admin.post(`/api/${what}`, members)
    assert.equal(status, 201, reply)
    return body.id
  }
  const remove = async (path: string) => assert.equal((await tenant.admin.delete(`/api/${path}`)).status, 204)
  const change = async (id: string, members: object) =>
    assert.equal((await tenant.admin.patch(`/api/tickets/${id}`, members)).status, 200)
  const placeOf = async () => (await ada.get('/api/tickets')).headers.get('live-cursor')

  it('are read again where a row is gone, and the row by which it was reached', async () => {
    const other = await made('projects', { name: 'Other', ownerId: adaId })
    const ticketId = await made('tickets', { title: 'Gone', projectId: other })
    const commentId = await made('comments', { body: 'Gone', ticketId })
    const place = await placeOf()
    await remove(`comments/${commentId}`)
    await remove(`tickets/${ticketId}`)
    await remove(`projects/${other}`)
    const last = await made('tickets', { title: 'Last', projectId })
    const lists = { tickets: { entity: 'ticket', fields: 'id' }, comments: { entity: 'comment' } }
    await using live = await LiveReader.open(ada, lists, place)
    const told = [await live.next(), await live.next(), await live.next()]
    assert.deepEqual(
      told.map(({ event, data }) => [event, ...data.list]),
      [
        ['reset', 'comments'],
        ['reset', 'tickets'],
        ['change', 'tickets'],
      ],
    )
    assert.equal(told[2]?.data.id, last)
    // Whoever reaches every row needs nobody else to know it.
    await using all = await LiveReader.open(tenant.admin, lists, place)
    assert.deepEqual((await all.change()).kind, 'delete')
  })

  it('are read again likewise by subscribers to deleted rows', async () => {
    const follow = (from: string | null) =>
      EventReader.open(ada, { query: 'subscription { onTicketDeleted { id } }', after: from })
    const firstId = await made('tickets', { title: 'First', projectId })
    let mark: string | null
    {
      await using reader = await follow(null)
      await remove(`tickets/${firstId}`)
      const { id, data } = await reader.next()
      assert.equal(data.data.onTicketDeleted.id, firstId)
      mark = id
    }
    const other = await made('projects', { name: 'Other', ownerId: adaId })
    await remove(`tickets/${await made('tickets', { title: 'Gone', projectId: other })}`)
    await remove(`projects/${other}`)
    await using resumed = await follow(mark)
    const { data } = await resumed.next()
    assert.deepEqual([data.data, errorCodes({ body: data })], [null, ['SUBSCRIPTION_RESET']])
  })

  it('are read again after a change of which the event could not keep enough', async () => {
    const texts = (length: number) => Object.fromEntries(places.map((name) => [name, 'x'.repeat(length)]))
    const lists = { sheets: { entity: 'sheet', filter: { text0: 'x' }, fields: 'id' } }
    await using live = await LiveReader.open(ada, lists)
    const id = await made('sheets', texts(100))
    assert.equal((await tenant.admin.patch(`/api/sheets/${id}`, texts(200))).status, 200)
    assert.deepEqual((await live.next()).data, { list: ['sheets'], reason: 'unknown' })
    const small = await made('sheets', texts(1))
    assert.equal((await live.change()).id, small)
  })

  it('tell nothing of hidden members alone, although the row has changed again since', async () => {
    const id = await made('tickets', { title: 'Shown', projectId })
    const place = await placeOf()
    await change(id, { secret: 'one' })
    for (let count = 0; count < eventsAtOnce; count++) await made('projects', { name: 'Between' })
    await change(id, { secret: 'two' })
    const last = await made('tickets', { title: 'Last', projectId })
    await using live = await LiveReader.open(ada, { all: { entity: 'ticket', fields: 'id,title' } }, place)
    assert.deepEqual((await live.change()).id, last)
  })
})
