/** Rules of fields: what a caller may not read is not there for the caller, by every way of REST and GraphQL. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Answer, Client } from '../support/client.ts'
import { inspect } from '../support/database/inspect.ts'
import { onEachDatabase, onEitherDatabase } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { EventReader } from '../support/graphql/event-reader.ts'
import { allOfThem, type Callers, callerWith, startRuled } from './ruled-fields.ts'

const internal = 'note: reading it requires the permission ticket:internal.'
const path = '/api/tickets'

async function graphql(caller: Client, query: string): Promise<Answer['body']> {
  return (await caller.post('/graphql', { query })).body
}

onEachDatabase('Rules of fields', (database) => {
  let scene: Callers
  let insider: Client
  let outsider: Client
  let acme: string
  const ids: string[] = []

  before(async () => {
    scene = await startRuled(database)
    ;({ insider, outsider } = scene)
    acme = (await insider.post('/api/clients', { name: 'acme', secret: 'gold' })).body.id
    for (const [index, note] of ['walnut', 'oak', 'elm'].entries()) {
      const made = await insider.post(path, {
        ...{ title: `ticket ${index}`, note, clientId: acme, auditorId: acme, rating: index + 1 },
        lines: [{ label: 'one', price: 5 }],
      })
      assert.equal(made.status, 201, made.text)
      ids.push(made.body.id)
    }
  })
  after(() => scene.service.stop())

  const hidden = ['note', 'auditorId', 'rating', 'stars', 'stage', 'code']

  it('leave hidden members out of rows and lists', async () => {
    const { body: whole } = await insider.get(`${path}/${ids[0]}`)
    const { body: seen } = await outsider.get(`${path}/${ids[0]}`)
    assert.deepEqual(
      hidden.filter((name) => !(name in whole)),
      [],
    )
    assert.deepEqual(
      hidden.filter((name) => name in seen),
      [],
    )
    assert.deepEqual([whole.lines, seen.lines], [[{ label: 'one', price: 5 }], [{ label: 'one' }]])
    assert.deepEqual([seen.cost, seen.total], [7, 1])
    for (const query of ['', '?limit=10', '?sort=-title', '?state=open', '?fields=id,title,lines'])
      for (const row of (await outsider.get(`${path}${query}`)).body) {
        assert.deepEqual(
          hidden.filter((name) => name in row),
          [],
          query,
        )
        assert.deepEqual(row.lines, [{ label: 'one' }])
      }
    assert.equal((await insider.get(`${path}?limit=10`)).body[1].note, 'oak')
    assert.deepEqual((await outsider.get('/api/clients')).body.map(Object.keys), [
      ['id', 'name', 'createdAt', 'updatedAt'],
    ])
    assert.deepEqual(Object.keys((await outsider.get(`/api/clients/${acme}`)).body), [
      ...['id', 'name', 'createdAt', 'updatedAt'],
    ])
  })

  it('refuse hidden members that a list names', async () => {
    for (const query of [
      'fields=id,note',
      'note=oak',
      'note[contains]=a',
      'note[in]=oak,elm',
      'note[nin]=oak',
      'note[isNull]=true',
      'note[neq]=oak&count=true',
      'sort=note',
      'sort=title,-note',
      'sort=-note&limit=1&count=true',
    ]) {
      const refused = await outsider.get(`${path}?${query}`)
      assert.deepEqual([refused.status, refused.body.message], [403, internal], query)
      assert.equal((await insider.get(`${path}?${query}`)).status, 200, query)
    }
    const related = await outsider.get(`${path}?sort=client.secret`)
    assert.equal(related.body.message, 'secret: reading it requires the permission client:secret.')
    const through = await outsider.get(`${path}?sort=auditor.name`)
    assert.equal(through.body.message, 'auditor: reading it requires the permission ticket:internal.')
    assert.equal((await insider.get(`${path}?sort=auditor.name,client.secret`)).status, 200)
  })

  it('hide from somebody without a token what asks for any permission', async () => {
    const { anonymous } = scene.service
    const { body } = await anonymous.get(`/api/clients?tenant=${scene.tenant.id}`)
    assert.deepEqual(body.map(Object.keys), [['id', 'name', 'createdAt', 'updatedAt']])
    const refused = await anonymous.get(`/api/clients?tenant=${scene.tenant.id}&secret=gold`)
    assert.deepEqual(
      [refused.status, refused.body.message],
      [403, 'secret: reading it requires the permission client:secret.'],
    )
  })

  it('hold for code with the rights of the caller, and not for that of the tenant', async () => {
    const own = await outsider.get(`/api/own-tickets/${ids[1]}`)
    assert.deepEqual([own.body.title, 'note' in own.body], ['ticket 1', false])
    const whole = await outsider.get(`/api/whole-tickets/${ids[1]}`)
    assert.deepEqual([whole.body.title, whole.body.note], ['ticket 1', 'oak'])
    const marked = await outsider.post(`/api/whole-tickets/${ids[1]}`)
    assert.deepEqual([marked.status, marked.body.cost], [200, 12])
    assert.equal((await outsider.post(`/api/own-tickets/${ids[1]}`)).status, 403)
  })

  it('follow the permissions of a role', async () => {
    const some = await callerWith(scene.service, scene.tenant, ['ticket:read', 'rating:see'])
    const { body } = await some.get(`${path}/${ids[2]}`)
    assert.deepEqual([body.rating, body.stars, 'note' in body], [3, 30, false])
    assert.equal((await some.get(`${path}?sort=rating&limit=1`)).body[0].rating, 1)
    assert.equal((await some.get(`${path}?note=oak`)).status, 403)
  })

  it('search what the caller reads', async () => {
    assert.equal((await insider.get(`${path}?search=walnut`)).body.length, 1)
    assert.equal((await outsider.get(`${path}?search=walnut`)).body.length, 0)
    assert.equal((await outsider.get(`${path}?search=ticket`)).body.length, 3)
    assert.equal((await outsider.get('/api/clients?search=gold')).body.length, 0)
  })

  it('refuse hidden members in GraphQL, wherever a document names them', async () => {
    const documents = [
      '{ tickets { nodes { note } } }',
      '{ tickets { edges { node { n: note } } } }',
      `{ ticket(id: "${ids[0]}") { title note } }`,
      '{ tickets(where: { note: { eq: "oak" } }) { totalCount } }',
      '{ tickets(where: { or: [{ title: { eq: "x" } }, { note: { ncontains: "oak" } }] }) { totalCount } }',
      '{ tickets(order: { note: ASC }) { nodes { id } } }',
      '{ tickets(order: [{ title: ASC }, { note: DESC }], first: 1) { pageInfo { endCursor } } }',
      '{ tickets(order: { note: ASC }) { totalCount } }',
      '{ tickets { nodes { auditor { name } } } }',
      '{ tickets { nodes { auditorId } } }',
      '{ tickets(where: { auditor: { name: { eq: "acme" } } }) { totalCount } }',
      '{ tickets(where: { auditor: null }) { totalCount } }',
      '{ tickets(order: { auditor: { name: ASC } }) { nodes { id } } }',
      '{ tickets(where: { lines: { some: { price: { gt: 1 } } } }) { totalCount } }',
      '{ tickets { nodes { lines { label price } } } }',
      '{ ticketsAggregate(groupBy: [note]) { count } }',
      '{ ticketsAggregate(groupBy: [stage]) { key { stage } } }',
      '{ ticketsAggregate { count max { rating } } }',
      '{ ticketsAggregate(groupBy: [title], order: { sum: { rating: DESC } }) { count } }',
      '{ ticketsAggregate(where: { note: { eq: "oak" } }) { count } }',
      '{ clients { nodes { name secret } } }',
      '{ clients { nodes { ticketsByAuditor { totalCount } } } }',
      '{ clients { nodes { ticketsByClient { nodes { note } } } } }',
      '{ clients { nodes { ticketsByClient(order: { note: ASC }) { nodes { id } } } } }',
      '{ clients { nodes { ticketsByClient(where: { note: { eq: "oak" } }) { totalCount } } } }',
      '{ clients(where: { ticketsByAuditor: { any: true } }) { totalCount } }',
      ...['some', 'all', 'none'].map(
        (each) =>
          `{ clients(where: { ticketsByClient: { ${each}: { note: { eq: "oak" } } } }) { totalCount } }`,
      ),
      '{ tickets(where: { client: { secret: { startsWith: "g" } } }) { totalCount } }',
      '{ tickets(order: { client: { secret: ASC } }) { nodes { id } } }',
    ]
    for (const document of documents) {
      const refused = await graphql(outsider, document)
      assert.equal(refused.errors?.[0].extensions.code, 'AUTH_NOT_AUTHORIZED', document)
      assert.match(
        refused.errors[0].message,
        /^\w+: reading it requires the permission (ticket:internal|rating:see|client:secret)\.$/,
        document,
      )
      assert.equal((await graphql(insider, document)).errors, undefined, document)
    }
  })

  it('let GraphQL read the rest', async () => {
    const document = `{
      tickets(where: { client: { name: { eq: "acme" } } }, order: { title: DESC }, first: 1) {
        totalCount nodes { title lines { label } client { name } }
      }
      ticketsAggregate(groupBy: [state]) { count key { state } }
    }`
    assert.deepEqual(await graphql(outsider, document), {
      data: {
        tickets: {
          totalCount: 3,
          nodes: [{ title: 'ticket 2', lines: [{ label: 'one' }], client: { name: 'acme' } }],
        },
        ticketsAggregate: [{ count: 3, key: { state: 'open' } }],
      },
    })
  })

  it('refuse a result of GraphQL before the change', async () => {
    const document = (members: string) =>
      `mutation { updateTicket(id: "${ids[0]}", input: { title: "changed" }) { ${members} } }`
    const refused = await graphql(outsider, document('title note'))
    assert.equal(refused.errors[0].message, internal)
    assert.equal((await outsider.get(`${path}/${ids[0]}`)).body.title, 'ticket 0')
    assert.equal((await graphql(outsider, document('title'))).errors, undefined)
    await outsider.patch(`${path}/${ids[0]}`, { title: 'ticket 0' })
    const input = `mutation { updateTicket(id: "${ids[0]}", input: { note: "x" }) { id } }`
    assert.equal((await graphql(outsider, input)).errors[0].extensions.code, 'AUTH_NOT_AUTHORIZED')
  })

  it('describe a row by its version and what the caller reads', async () => {
    const [own, others] = await Promise.all(
      [insider, outsider].map((caller) => caller.get(`${path}/${ids[1]}`)),
    )
    const [ownTag, otherTag] = [own, others].map((answer) => answer?.headers.get('etag') ?? '')
    assert.notEqual(ownTag, otherTag)
    const withTag = (caller: Client, tag = '') => caller.get(`${path}/${ids[1]}`, { 'if-none-match': tag })
    assert.equal((await withTag(outsider, otherTag)).status, 304)
    assert.equal((await withTag(outsider, ownTag)).status, 200)
    const changed = await outsider.patch(`${path}/${ids[1]}`, { title: 'x' }, { 'if-match': ownTag ?? '' })
    assert.equal(changed.status, 200, changed.text)
    assert.equal(changed.headers.get('etag'), otherTag?.replace('v2', 'v3'))
    const stale = await insider.patch(`${path}/${ids[1]}`, { title: 'y' }, { 'if-match': ownTag ?? '' })
    assert.equal(stale.status, 412)
  })

  it('keep what the caller does not write when a row is replaced', async () => {
    const made = await insider.post(path, {
      ...{ title: 'kept', note: 'secret', clientId: acme, auditorId: acme, rating: 9, priority: 4 },
      lines: [{ label: 'a', price: 3 }],
    })
    const one = `${path}/${made.body.id}`
    const replaced = await outsider.put(one, { title: 'replaced' })
    assert.equal(replaced.status, 200, replaced.text)
    const { title, note, auditorId, rating, priority, lines, clientId } = (await insider.get(one)).body
    assert.deepEqual(
      { title, note, auditorId, rating, priority, lines, clientId },
      {
        ...{ title: 'replaced', note: 'secret', auditorId: acme, rating: 9, priority: 4, clientId: acme },
        lines: [{ label: 'a', price: 3 }],
      },
    )
    assert.equal((await insider.put(one, { title: 'reset' })).status, 200)
    const reset = (await insider.get(one)).body
    assert.deepEqual(
      [reset.note, reset.rating, reset.priority, reset.lines, reset.cost],
      [null, 3, null, [], 7],
    )
    assert.equal((await insider.delete(one)).status, 204)
  })
})

onEitherDatabase('Writes by rules of fields', (database) => {
  let scene: Callers
  let insider: Client
  let outsider: Client
  let acme: string
  let other: string

  before(async () => {
    scene = await startRuled(database)
    ;({ insider, outsider } = scene)
    acme = (await insider.post('/api/clients', { name: 'acme' })).body.id
    other = (await insider.post('/api/clients', { name: 'other' })).body.id
  })
  after(() => scene.service.stop())

  const make = async (caller: Client, members: object = {}, headers: Record<string, string> = {}) => {
    const made = await caller.post(path, { title: 'made', clientId: acme, ...members }, headers)
    assert.equal(made.status, 201, made.text)
    return made.body
  }

  /** Takes permissions from the role of a caller. */
  const narrow = async (caller: Client, permissions: readonly string[]) => {
    const { body: me } = await caller.get('/api/auth/me')
    const narrowed = await scene.tenant.admin.put(`/api/roles/${me.roles[0]}`, { permissions })
    assert.equal(narrowed.status, 200, narrowed.text)
    await eventually('the narrower role', 2000, async () => {
      const { body } = await caller.get('/api/auth/me')
      return !body.permissions.includes('ticket:internal')
    })
  }

  it('refuse members that the caller does not write', async () => {
    const row = await make(outsider)
    for (const [members, message] of [
      [{ note: 'x' }, 'note: writing it requires the permission ticket:internal.'],
      [{ note: null }, 'note: writing it requires the permission ticket:internal.'],
      [{ rating: 1 }, 'rating: writing it requires the permission rating:see.'],
      [{ priority: 1 }, 'priority: writing it requires the permission ticket:plan.'],
      [{ cost: 1 }, 'cost: no caller writes it.'],
      [
        { lines: [{ label: 'x', price: 1 }] },
        'lines.price: writing it requires the permission ticket:internal.',
      ],
    ] as const) {
      const body = { title: 'x', clientId: acme, ...members }
      for (const refused of [
        await outsider.post(path, body),
        await outsider.patch(`${path}/${row.id}`, members),
        await outsider.put(`${path}/${row.id}`, body),
      ])
        assert.deepEqual([refused.status, refused.body.message], [403, message])
    }
    assert.equal((await insider.patch(`${path}/${row.id}`, { cost: 1 })).status, 403)
    assert.equal(
      (await insider.patch(`${path}/${row.id}`, { note: 'x', rating: 5, priority: 2 })).status,
      200,
    )
  })

  it('let a new row have a list whose rows are written in part, and keep it afterwards', async () => {
    const row = await make(outsider, { lines: [{ label: 'x' }] })
    const changed = await outsider.patch(`${path}/${row.id}`, { lines: [] })
    assert.deepEqual(
      [changed.status, changed.body.message],
      [403, 'lines.price: writing it requires the permission ticket:internal.'],
    )
    assert.deepEqual((await insider.get(`${path}/${row.id}`)).body.lines, [{ label: 'x', price: 0 }])
  })

  it('take a member that is given once with the new row alone', async () => {
    const row = await make(outsider)
    const one = `${path}/${row.id}`
    assert.equal((await outsider.patch(one, { clientId: acme.toUpperCase(), title: 'same' })).status, 200)
    for (const caller of [outsider, insider]) {
      const refused = await caller.patch(one, { clientId: other })
      assert.deepEqual(
        [refused.status, refused.body.message],
        [400, 'clientId: is given once, with the new row'],
      )
      assert.equal((await caller.put(one, { title: 'x', clientId: other })).status, 400)
    }
    assert.equal((await outsider.put(one, { title: 'x', clientId: acme })).status, 200)
    assert.equal((await outsider.post(path, { title: 'x' })).status, 400)
  })

  it('leave hooks, actions and their values free', async () => {
    const row = await make(outsider)
    assert.equal(row.cost, 7)
    const closed = await outsider.post(`${path}/${row.id}/close`)
    assert.deepEqual([closed.status, closed.body.cost, 'note' in closed.body], [200, 99, false])
    const annotated = await outsider.post(`${path}/${row.id}/annotate`, { text: 'by an action' })
    assert.deepEqual([annotated.status, 'note' in annotated.body], [200, false])
    assert.equal((await insider.get(`${path}/${row.id}`)).body.note, 'by an action')
  })

  it('do not print a hidden state', async () => {
    const row = await make(insider)
    const refused = await outsider.post(`${path}/${row.id}/finish`)
    assert.deepEqual(
      [refused.status, refused.body.message],
      [400, 'The ticket cannot be finished in its state.'],
    )
    const told = await insider.post(`${path}/${row.id}/finish`)
    assert.equal(told.body.message, 'The ticket is early and cannot be finished: it must be late.')
  })

  it('do not print a hidden value that is taken', async () => {
    await make(insider, { code: 'ALPHA' })
    const refused = await insider.post(path, { title: 'x', clientId: acme, code: 'ALPHA' })
    assert.deepEqual([refused.status, refused.body.message], [400, 'code: is taken by another ticket'])
  })

  it('answer a repeated request with what its caller reads now', async () => {
    const caller = await callerWith(scene.service, scene.tenant, [
      ...['ticket:read', 'ticket:write', 'client:read', 'ticket:internal'],
    ])
    const key = { 'idempotency-key': randomUUID() }
    const made = await make(caller, { note: 'told once' }, key)
    assert.equal(made.note, 'told once')
    await narrow(caller, ['ticket:read', 'ticket:write', 'client:read'])
    const again = await caller.post(path, { title: 'made', clientId: acme, note: 'told once' }, key)
    assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [201, 'true'])
    assert.deepEqual([again.body.id, 'note' in again.body], [made.id, false])
  })

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
    assert.equal(answer.data.errors[0].message, internal)
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
    await narrow(caller, permissions)
    await make(insider, { note: 'after' })
    const { data } = await reader.next()
    assert.deepEqual([data.data, data.errors[0].message], [undefined, internal])
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
      assert.deepEqual(seen.actions[1].from, {})
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
