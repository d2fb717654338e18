/**
 * Two tenants that differ in what is hidden alone: to a caller who may not read it they give the same replies, whatever the
 * caller asks.
 */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Answer, Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { randomFrom } from '../support/random-numbers.ts'
import { runSeed } from '../support/run/extent.ts'
import { callersOf, startRuled } from './ruled-fields.ts'

const canary = 'Canary7f3a'
const requests = 300

interface Side {
  caller: Client
  /** By id, what it is called in both. */
  names: Map<string, string>
}

onEitherDatabase('What rules of fields hide', (database) => {
  let scene: Awaited<ReturnType<typeof startRuled>>
  let sides: readonly [Side, Side]
  let parameters: string[] = []

  before(async () => {
    scene = await startRuled(database)
    const plain = await filled(scene.insider, scene.outsider, (index) => ({
      note: `oak ${index}`,
      rating: 1 + (index % 3),
      stage: 'early',
      code: `a${index}`,
      price: index,
      auditor: 0,
    }))
    const other = await callersOf(scene.service)
    const marked = await filled(other.insider, other.outsider, (index) => ({
      note: `${canary} ${9 - index}`,
      rating: 50 - index,
      stage: 'late',
      code: `${canary}${9 - index}`,
      price: 100 - index,
      auditor: 1,
    }))
    sides = [plain, marked]
    const { body } = await scene.outsider.get('/swagger/v1/swagger.json')
    const listed = body.paths['/api/tickets'].get.parameters as { name: string; in: string }[]
    parameters = listed.filter((each) => each.in === 'query').map(({ name }) => name)
  })
  after(() => scene.service.stop())

  it('no request tells', async () => {
    assert.ok(parameters.includes('note[contains]'))
    const random = randomFrom(runSeed)
    const statuses = new Map<number, number>()
    for (let count = 0; count < requests; count++) {
      const request = randomRequest(random, parameters)
      const [one, other] = (await Promise.all(sides.map((side) => seen(side, request(side))))) as [Seen, Seen]
      assert.deepEqual(other, one, `request ${count}: ${one.asked}`)
      // An error may repeat what the caller has written.
      if (!other.asked.includes(canary)) assert.equal(other.text.includes(canary), false, other.asked)
      statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1)
    }
    for (const status of [200, 403])
      assert.ok((statuses.get(status) ?? 0) > requests / 10, JSON.stringify([...statuses]))
  })
})

interface Hidden {
  note: string
  rating: number
  stage: string
  code: string
  price: number
  /** Which of the clients. */
  auditor: number
}

async function filled(insider: Client, outsider: Client, hidden: (index: number) => Hidden): Promise<Side> {
  const names = new Map<string, string>()
  const clients: string[] = []
  for (const name of ['acme', 'bolt']) {
    const { body } = await insider.post('/api/clients', { name, secret: hidden(clients.length).note })
    names.set(body.id, name)
    clients.push(body.id)
  }
  for (let index = 0; index < 8; index++) {
    const { price, auditor, ...members } = hidden(index)
    const { body, status, text } = await insider.post('/api/tickets', {
      ...members,
      title: `ticket ${index % 4}`,
      clientId: clients[index % 2],
      auditorId: clients[auditor],
      lines: [{ label: `line ${index}`, price }],
      ...(index % 3 === 0 && { priority: index }),
    })
    assert.equal(status, 201, text)
    names.set(body.id, `ticket ${index}`)
  }
  return { caller: outsider, names }
}

interface Seen {
  /** The request, as far as it does not name ids. */
  asked: string
  status: number
  text: string
  headers: (string | null)[]
}

interface Asked {
  method: string
  path: string
  body?: unknown
}

async function seen(side: Side, { method, path, body }: Asked): Promise<Seen> {
  const answer = await side.caller.send(method, path, body)
  return {
    asked: sameNames(side, `${method} ${decodeURIComponent(path)} ${JSON.stringify(body)}`),
    status: answer.status,
    text: sameNames(side, answer.text),
    headers: headersOf(side, answer, path),
  }
}

function headersOf(side: Side, { headers }: Answer, path: string): (string | null)[] {
  const link = headers.get('link')
  // The tag of a list is that of its bytes, which have ids.
  const tag = path.includes('?') || path === '/graphql' ? null : headers.get('etag')
  return [headers.get('x-total-count'), tag, link === null ? null : sameNames(side, link)]
}

/** Ids by what they are in both tenants, and no times; cursors are opened. */
function sameNames({ names }: Side, text: string): string {
  const opened = text.replaceAll(/[A-Za-z0-9_-]{40,}/g, (word) => {
    const inner = Buffer.from(word, 'base64url').toString()
    return /^(?:\["|[0-9a-f]{8}-)/.test(inner) ? inner : word
  })
  return opened
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => names.get(id) ?? 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
}

type Random = () => number

/** @returns the same request to either tenant */
function randomRequest(random: Random, parameters: readonly string[]): (side: Side) => Asked {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T
  const kind = random()
  if (kind < 0.5) return listRequest(pick, random, parameters)
  if (kind < 0.8) {
    const query = randomDocument(pick, random)
    return () => ({ method: 'POST', path: '/graphql', body: { query } })
  }
  return oneRequest(pick, random)
}

type Pick = <T>(of: readonly T[]) => T

const members = [
  ...['title', 'note', 'cost', 'clientId', 'auditorId', 'rating', 'stars', 'total', 'state', 'stage'],
  ...['code', 'priority', 'id', 'createdAt'],
]
const visible = ['title', 'cost', 'total', 'state', 'priority', 'id', 'createdAt', 'clientId']

function valueFor(pick: Pick, name: string): string {
  if (name.startsWith('clientId') || name.startsWith('auditorId')) return '@acme'
  if (/^(?:createdAt|updatedAt|id)/.test(name)) return name.startsWith('id') ? '@ticket 3' : '2020-01-01'
  if (name.includes('isNull')) return pick(['true', 'false'])
  if (name.startsWith('state')) return pick(['open', 'closed'])
  if (name.startsWith('stage')) return pick(['early', 'late'])
  return pick(['1', '3', '50', 'oak', canary, `${canary} 5`, 'ticket 1', 'ticket'])
}

function listRequest(pick: Pick, random: Random, parameters: readonly string[]): (side: Side) => Asked {
  const query = new Map<string, string>()
  const from = random() < 0.6 ? visible : members
  const filters = parameters.filter((name) => from.some((member) => name.startsWith(member)))
  for (let count = Math.floor(random() * 3); count > 0; count--) {
    const name = pick(filters)
    query.set(name, valueFor(pick, name))
  }
  if (random() < 0.5) query.set('sort', `${pick(['', '-'])}${pick(from)}`)
  if (random() < 0.1) query.set('sort', pick(['client.name', 'auditor.name', 'client.secret']))
  if (random() < 0.3) query.set('fields', [pick(from), pick(from), 'lines'].join())
  if (random() < 0.3) query.set('search', pick(['oak', canary, 'ticket', '1']))
  if (random() < 0.3) query.set('count', 'true')
  query.set('limit', pick(['1', '2', '50']))
  const path = random() < 0.85 ? '/api/tickets' : '/api/clients'
  return (side) => ({
    method: 'GET',
    path: `${path}?${new URLSearchParams([...query].map(([name, value]) => [name, named(side, value)]))}`,
  })
}

/** `@acme` is the id of it. */
function named({ names }: Side, value: string): string {
  return [...names].find(([, name]) => value === `@${name}`)?.[0] ?? value
}

function oneRequest(pick: Pick, random: Random): (side: Side) => Asked {
  const name = `@ticket ${pick([0, 1, 2, 3, 4, 5, 6, 7])}`
  const path = (side: Side) => `/api/tickets/${named(side, name)}`
  const kind = random()
  if (kind < 0.4) return (side) => ({ method: 'GET', path: path(side) })
  if (kind < 0.5) return (side) => ({ method: 'POST', path: `${path(side)}/close` })
  const body = pick([
    { title: pick(['ticket 1', 'ticket 9']) },
    { title: 'ticket 2', note: canary },
    { title: 'ticket 3', rating: 3 },
    { title: 'ticket 5', cost: 1 },
    { title: 'ticket 6', clientId: '@acme' },
    { title: 'ticket 1', code: canary },
    { title: 'ticket 1', lines: [] },
    { title: 'ticket 1', state: 'open' },
  ])
  const method = pick(['PATCH', 'PUT', 'POST'])
  return (side) => ({
    method,
    path: method === 'POST' ? '/api/tickets' : path(side),
    body: JSON.parse(JSON.stringify(body), (_key, value) =>
      typeof value === 'string' ? named(side, value) : value,
    ),
  })
}

function randomDocument(pick: Pick, random: Random): string {
  const from = random() < 0.6 ? visible : members
  const value = pick(['"oak"', `"${canary}"`, '"ticket 1"'])
  const where = pick([
    `{ title: { contains: ${value} } }`,
    `{ note: { startsWith: ${value} } }`,
    `{ not: 1 }`,
    `{ or: [{ state: { eq: open } }, { code: { nin: [${value}] } }] }`,
    `{ lines: { some: { label: { contains: "1" } } } }`,
    `{ lines: { all: { price: { lt: 9 } } } }`,
    `{ client: { name: { eq: "acme" } } }`,
    `{ client: { secret: { contains: ${value} } } }`,
    `{ client: { ticketsByAuditor: { any: true } } }`,
    `{ client: { ticketsByClient: { none: { note: { eq: ${value} } } } } }`,
    '{}',
  ]).replace('{ not: 1 }', '{ cost: { gte: 1 } }')
  const order = `{ ${pick(from)}: ${pick(['ASC', 'DESC'])} }`
  const selected = pick([
    `${pick(from)} ${pick(from)} lines { label }`,
    'id lines { price }',
    'title client { name }',
    'title client { ticketsByClient(first: 2, order: { title: DESC }) { totalCount nodes { title } pageInfo { endCursor } } }',
    'client { ticketsByAuditor { totalCount } }',
    'auditor { name }',
  ])
  return pick([
    `{ tickets(where: ${where}, order: [${order}], first: 3) { totalCount nodes { ${selected} } pageInfo { endCursor hasNextPage } } }`,
    `{ tickets(where: ${where}) { totalCount } }`,
    `{ ticketsAggregate(where: ${where}, groupBy: [${pick(['title', 'state', 'stage', 'note'])}]) { count key { title state } } }`,
    `{ ticketsAggregate(where: ${where}) { count ${pick(['sum', 'avg', 'min', 'max'])} { ${pick(['cost', 'rating', 'total'])} } } }`,
    `{ clients(order: { name: DESC }) { nodes { name ${pick(['', 'secret'])} } } }`,
  ])
}
