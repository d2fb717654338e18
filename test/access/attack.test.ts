/** A customer tries to learn a text of a row out of reach, and one of a hidden member, and learns nothing. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import type { Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { randomFrom } from '../support/random-numbers.ts'
import { runSeed, runsOf } from '../support/run/extent.ts'
import { startService } from '../support/service.ts'
import { applicationFeatures } from './application.ts'
import { alphabet, type Learnt, learn, type Oracle } from './attack.ts'
import { type Caller, type Scene, startScene } from './scene.ts'

const wanted = runsOf(500, 10_000)

/** Of the row that is out of reach, and of the member that is hidden. */
interface Target {
  id: string
  ticketId: string
}

onEitherDatabase('An attack', (database) => {
  let scene: Scene
  let customer: Caller
  let hidden: string
  let own: Target
  let foreign: Target
  before(async () => {
    scene = await startScene(database)
    const found = scene.callers.find(({ name }) => name === 'customer')
    assert.ok(found?.userId)
    customer = found
    const random = randomFrom(runSeed)
    hidden = Array.from({ length: 8 }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')
    own = await targetOf(
      { ownerId: customer.userId, name: '123', secret: hidden },
      { note: hidden, title: '456' },
    )
    foreign = await targetOf({ name: hidden, secret: hidden }, { title: hidden, note: hidden, code: hidden })
  })
  after(() => scene.service.stop())

  const targetOf = async (client: object, ticket: object): Promise<Target> => {
    const { client: admin } = scene.admin
    const { body: made } = await admin.post('/api/clients', client)
    const { body, status, text } = await admin.post('/api/tickets', { ...ticket, clientId: made.id })
    assert.equal(status, 201, text)
    await admin.post('/api/comments', { ticketId: body.id, body: hidden, aside: hidden })
    return { id: made.id, ticketId: body.id }
  }

  it('learns nothing but that a unique value is taken', async () => {
    const oracles = oraclesOf({ own, foreign })
    const learnt: Learnt[] = []
    let requests = 0
    while (requests < wanted) {
      const oracle = oracles[(learnt.length + 10 * runSeed) % oracles.length]
      assert.ok(oracle)
      const found = await learn(oracle, customer.client, wanted)
      learnt.push(found)
      requests += found.requests
    }
    process.stdout.write(`${requests} requests in ${Math.min(oracles.length, learnt.length)} ways\n`)
    assert.deepEqual(
      learnt.filter(({ text }) => text !== ''),
      [],
    )
  })

  it('would learn all of it where there is a leak', async () => {
    const leak: Oracle = {
      name: 'leak',
      ask: (client, prefix) => client.get(`/api/clients?name[startsWith]=${prefix}`),
    }
    assert.equal((await learn(leak, scene.admin.client, 1000)).text, hidden)
    const of = (name: string) => oraclesOf({ own, foreign }).find((oracle) => oracle.name === name)
    for (const name of ['filter of a row', 'quantifier', 'aggregate']) {
      const oracle = of(name)
      assert.ok(oracle)
      assert.equal((await learn(oracle, scene.admin.client, 1000)).text, hidden, name)
    }
  })

  it('learns one bit of a unique value: the whole of it, or nothing', async () => {
    const taken = (name: string) => customer.client.post('/api/clients', { name, ownerId: customer.userId })
    assert.equal((await taken(hidden.slice(0, 7))).status, 201)
    assert.equal((await taken(hidden)).status, 400)
  })

  it('sees the same rate limit after a row out of reach as after none', async () => {
    const service = await startService(database, {}, { features: applicationFeatures })
    try {
      const { admin, user } = await service.newTenant()
      const { body: hiddenClient } = await admin.post('/api/clients', { name: 'hidden' })
      const limitsAfter = async (id: string) => {
        const { headers, status } = await user.get(`/api/clients/${id}`)
        assert.equal(status, 404)
        return ['ratelimit', 'ratelimit-policy'].map((name) => headers.get(name)?.replace(/\b[tr]=\d+/g, ''))
      }
      assert.deepEqual(await limitsAfter(hiddenClient.id), await limitsAfter(randomUUID()))
    } finally {
      await service.stop()
    }
  })
})

function oraclesOf({ own, foreign }: { own: Target; foreign: Target }): Oracle[] {
  const get = (name: string, path: (prefix: string) => string): Oracle => ({
    name,
    ask: (client, prefix) => client.get(path(prefix)),
  })
  const document = (name: string, query: (prefix: string) => string): Oracle => ({
    name,
    ask: (client, prefix) => client.post('/graphql', { query: query(prefix) }),
  })
  const patch = (name: string, path: string, input: (prefix: string) => object, headers = {}): Oracle => ({
    name,
    ask: (client: Client, prefix) => client.patch(path, input(prefix), headers),
  })
  const hiddenRow = `/api/tickets/${foreign.ticketId}`
  return [
    get('filter of a row', (prefix) => `/api/tickets?title[startsWith]=${prefix}&count=true`),
    get('filter of a member', (prefix) => `/api/tickets?note[startsWith]=${prefix}&count=true`),
    get('filter with an id', (prefix) => `/api/tickets?id=${foreign.ticketId}&title[startsWith]=${prefix}`),
    get('negated filter', (prefix) => `/api/tickets?note[nin]=${prefix},x&sort=-createdAt`),
    get('range', (prefix) => `/api/clients?name[icontains]=${prefix}&sort=name&limit=1`),
    get('sort', (prefix) => `/api/tickets?sort=note&limit=1&title[neq]=${prefix}`),
    get('sort by what is related', (prefix) => `/api/comments?sort=ticket.note&body[startsWith]=${prefix}`),
    get('search', (prefix) => `/api/tickets?search=${prefix}&count=true`),
    get('search of another entity', (prefix) => `/api/clients?search=${prefix}&count=true`),
    get('fields', (prefix) => `/api/tickets?fields=id,note&title[contains]=${prefix}`),
    get('cursor', (prefix) => `/api/clients?sort=name&limit=1&cursor=${cursorAt([prefix, foreign.id])}`),
    get(
      'cursor of a member',
      (prefix) => `/api/tickets?sort=note&cursor=${cursorAt([prefix, own.ticketId])}`,
    ),
    document(
      'aggregate',
      (prefix) =>
        `{ ticketsAggregate(where: { title: { startsWith: "${prefix}" } }) { count max { createdAt } } }`,
    ),
    document(
      'aggregate of a member',
      (prefix) => `{ ticketsAggregate(where: { note: { startsWith: "${prefix}" } }) { count } }`,
    ),
    document(
      'group',
      (prefix) => `{ ticketsAggregate(groupBy: [note], where: { title: { gt: "${prefix}" } }) { count } }`,
    ),
    document(
      'relation',
      (prefix) => `{ tickets(where: { client: { secret: { startsWith: "${prefix}" } } }) { totalCount } }`,
    ),
    document(
      'relation of a row',
      (prefix) => `{ comments(where: { ticket: { title: { startsWith: "${prefix}" } } }) { totalCount } }`,
    ),
    document(
      'quantifier',
      (prefix) =>
        `{ clients(where: { tickets: { some: { title: { startsWith: "${prefix}" } } } }) { totalCount } }`,
    ),
    document(
      'quantifier of a member',
      (prefix) =>
        `{ tickets(where: { comments: { none: { aside: { startsWith: "${prefix}" } } } }) { totalCount } }`,
    ),
    document(
      'page',
      (prefix) =>
        `{ clients { nodes { tickets(where: { note: { startsWith: "${prefix}" } }) { totalCount } } } }`,
    ),
    document(
      'order',
      (prefix) =>
        `{ tickets(order: { note: ASC }, where: { title: { neq: "${prefix}" } }) { nodes { id } } }`,
    ),
    document(
      'by id',
      (prefix) =>
        `{ ticket(id: "${foreign.ticketId}") { title } others: tickets(where: { title: { startsWith: "${prefix}" } }) { totalCount } }`,
    ),
    {
      name: 'ETag',
      ask: (client, prefix) => client.get(hiddenRow, { 'if-none-match': `"${prefix}", *` }),
    },
    patch('If-Match', hiddenRow, (prefix) => ({ title: prefix }), { 'if-match': '*' }),
    patch('a member that is not written', `/api/tickets/${own.ticketId}`, (prefix) => ({ note: prefix })),
    patch('once', hiddenRow, (prefix) => ({ title: prefix, clientId: foreign.id })),
    {
      name: 'unique',
      ask: (client, prefix) => client.post('/api/tickets', { title: '789', clientId: own.id, code: prefix }),
    },
    {
      name: 'replay',
      ask: (client, prefix) =>
        client.post(
          '/api/tickets',
          { title: prefix, clientId: foreign.id },
          { 'idempotency-key': `key of ${foreign.id} ${prefix}` },
        ),
    },
    {
      name: 'reference',
      ask: (client, prefix) => client.post('/api/comments', { ticketId: foreign.ticketId, body: prefix }),
    },
  ]
}

function cursorAt(place: readonly string[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}
