/** What the audit, events, subscribers and descriptions tell of members with rules. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client } from '../support/client.ts'
import { inspect } from '../support/database/inspect.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { EventReader } from '../support/graphql/event-reader.ts'
import {
  allOfThem,
  type Callers,
  callerWith,
  graphql,
  hiddenNote,
  narrow,
  ticketPath as path,
  startRuled,
} from './ruled-fields.ts'

onEitherDatabase('Rules of fields beside requests for rows', (database) => {
  let scene: Callers
  let insider: Client
  let outsider: Client
  let acme: string

  before(async () => {
    scene = await startRuled(database)
    ;({ insider, outsider } = scene)
    acme = (await insider.post('/api/clients', { name: 'acme' })).body.id
  })
  after(() => scene.service.stop())

  const make = async (caller: Client, members: object = {}, headers: Record<string, string> = {}) => {
    const made = await caller.post(path, { title: 'made', clientId: acme, ...members }, headers)
    assert.equal(made.status, 201, made.text)
    return made.body
  }

  it('mask hidden values in the audit', async () => {
    const row = await make(insider, { note: 'masked-note', lines: [{ label: 'l', price: 41 }] })
    const detailOf = async (caller: Client) => {
      const { body } = await caller.get(`/api/audit?subjectId=${row.id}`)
      return body[0].detail
    }
    const own = await detailOf(insider)
    assert.deepEqual(own.note, { before: null, after: 'masked-note' })
    const seen = await detailOf(outsider)
    assert.deepEqual([seen.note, seen.lines, seen.rating], Array(3).fill({ isHidden: true }))
    assert.deepEqual(seen.title, { before: null, after: 'made' })
  })

  it('leave hidden members out of the payloads of events', async () => {
    const row = await make(insider, { note: 'not in events' })
    await insider.post(`${path}/${row.id}/close`)
    const text = `SELECT type, data FROM event WHERE data LIKE '%${row.id}%'`
    const events = await inspect(scene.service.config.databaseUrl, text)
    const dataOf = (type: string) =>
      JSON.parse(String(events.find((event) => event['type'] === type)?.['data']))
    const created = dataOf('ticket.created')
    assert.deepEqual(Object.keys(created).toSorted(), [
      ...['clientId', 'cost', 'priority', 'state', 'ticketId', 'title', 'total'],
    ])
    assert.deepEqual(dataOf('ticket.closed'), { ticketId: row.id, title: 'made', note: 'not in events' })
  })

  it('refuse hidden members to subscribers', async () => {
    const document = (members: string) => `subscription { onTicketCreated { ${members} } }`
    await using refused = await EventReader.open(outsider, { query: document('title note') })
    const answer = await refused.next()
    assert.equal(answer.data.errors[0].extensions.code, 'AUTH_NOT_AUTHORIZED')
    assert.equal(answer.data.errors[0].message, hiddenNote)
    await using allowed = await EventReader.open(insider, { query: document('title note') })
    await using plain = await EventReader.open(outsider, { query: document('title') })
    await make(insider, { title: 'live', note: 'seen' })
    assert.deepEqual((await allowed.next()).data, {
      data: { onTicketCreated: { title: 'live', note: 'seen' } },
    })
    assert.deepEqual((await plain.next()).data, { data: { onTicketCreated: { title: 'live' } } })
  })

  it('end the streams of subscribers from whom a member becomes hidden', async () => {
    const permissions = ['ticket:read', 'ticket:write', 'client:read', 'client:write']
    const caller = await callerWith(scene.service, scene.tenant, [...permissions, 'ticket:internal'])
    await using reader = await EventReader.open(caller, {
      query: 'subscription { onTicketCreated { note } }',
    })
    await make(insider, { note: 'before' })
    assert.deepEqual((await reader.next()).data, { data: { onTicketCreated: { note: 'before' } } })
    await narrow(scene.tenant, caller, permissions)
    await make(insider, { note: 'after' })
    const { data } = await reader.next()
    assert.deepEqual([data.data, data.errors[0].message], [undefined, hiddenNote])
  })

  describe('in descriptions', () => {
    const described = async (caller: Client) => {
      const { body } = await caller.get('/api/entities')
      return body.find(({ name }: { name: string }) => name === 'ticket')
    }
    const namesOf = (fields: { name: string }[]) => fields.map(({ name }) => name)

    it('show what the caller reads, and what the caller writes', async () => {
      const seen = await described(outsider)
      assert.deepEqual(namesOf(seen.fields), [
        ...['title', 'cost', 'clientId', 'total', 'state', 'priority', 'lines'],
      ])
      assert.deepEqual(seen.sortedBy, ['createdAt'])
      const of = (name: string) => seen.fields.find((field: { name: string }) => field.name === name)
      assert.deepEqual(
        ['title', 'cost', 'clientId', 'priority', 'lines'].map((name) => [
          of(name).isReadOnly,
          of(name).isFixed,
        ]),
        [
          [false, undefined],
          [true, undefined],
          [false, true],
          [true, undefined],
          [false, true],
        ],
      )
      assert.deepEqual(namesOf(of('lines').fields), ['label'])
      assert.deepEqual([seen.actions[1].from, seen.actions[1].to], [{}, { state: 'closed' }])
      const whole = await described(insider)
      assert.equal(whole.fields.length, 13)
      assert.equal(whole.fields.find((field: { name: string }) => field.name === 'lines').isFixed, undefined)
    })

    it('name every member in the documents, optional where it may be left out', async () => {
      const { body } = await outsider.get('/swagger/v1/swagger.json')
      const { Ticket, TicketInput, TicketReplacement } = body.components.schemas
      assert.ok('note' in Ticket.properties)
      assert.equal(Ticket.required.includes('note'), false)
      assert.ok(Ticket.required.includes('title'))
      assert.ok(TicketInput.required.includes('clientId'))
      assert.equal(TicketReplacement.required.includes('clientId'), false)
      const query = '{ __type(name: "Ticket") { fields { name type { kind } } } }'
      const { data } = await graphql(scene.tenant.admin, query)
      const kindOf = (name: string) =>
        data.__type.fields.find((field: { name: string }) => field.name === name).type.kind
      assert.deepEqual(['title', 'rating', 'stage'].map(kindOf), ['NON_NULL', 'SCALAR', 'ENUM'])
    })

    it('declare the permissions that they name', async () => {
      const { body } = await scene.tenant.admin.get('/api/permissions')
      const known = body.map(({ name }: { name: string }) => name)
      assert.deepEqual(
        allOfThem.filter((name) => !known.includes(name)),
        [],
      )
    })
  })
})
