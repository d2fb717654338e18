/** Rules of fields: what a caller may not read is not there for the caller, by every way of REST and GraphQL. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import {
  type Callers,
  callerWith,
  graphql,
  hiddenNote,
  ticketPath as path,
  startRuled,
} from './ruled-fields.ts'

onEitherDatabase('Rules of fields', (database) => {
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
        title: `ticket ${index}`,
        note,
        clientId: acme,
        auditorId: acme,
        rating: index + 1,
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
      assert.deepEqual([refused.status, refused.body.message], [403, hiddenNote], query)
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
    assert.equal(refused.errors[0].message, hiddenNote)
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
      title: 'kept',
      note: 'secret',
      clientId: acme,
      auditorId: acme,
      rating: 9,
      priority: 4,
      lines: [{ label: 'a', price: 3 }],
    })
    const one = `${path}/${made.body.id}`
    const replaced = await outsider.put(one, { title: 'replaced' })
    assert.equal(replaced.status, 200, replaced.text)
    const { title, note, auditorId, rating, priority, lines, clientId } = (await insider.get(one)).body
    assert.deepEqual(
      { title, note, auditorId, rating, priority, lines, clientId },
      {
        title: 'replaced',
        note: 'secret',
        auditorId: acme,
        rating: 9,
        priority: 4,
        clientId: acme,
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
