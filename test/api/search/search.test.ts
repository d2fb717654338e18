/** The search over all entities: what it finds, in which order, and for whom. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import { entity, sequence, text, user } from '../../../src/index.ts'
import { migrated } from '../../entity/migrated.ts'
import type { Answer, Client } from '../../support/client.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { person, startService, type TestService, type TestTenant } from '../../support/service.ts'

const canary = 'canary7d1f'

const ticket = entity('ticket', {
  fields: {
    number: sequence(),
    subject: text(),
    body: text({ max: 10_000 }).optional(),
    secret: text().optional(),
    owner: user().optional(),
  },
  search: ['subject', 'body', 'secret'],
  access: {
    fields: { secret: { read: 'ticket:secret', write: 'ticket:secret' } },
    rows: {
      read: ({ row, actor }) => row.owner.is(actor.id),
      create: ({ row, actor }) => row.owner.is(actor.id),
      update: ({ row, actor }) => row.owner.is(actor.id),
      delete: ({ row, actor }) => row.owner.is(actor.id),
    },
  },
})
const client = entity('client', { fields: { name: text() }, search: ['name'] })
const vault = entity('vault', { fields: { name: text() }, search: ['name'], access: { read: 'admin' } })
const letter = entity('letter', {
  fields: { number: sequence(), topic: text() },
  search: ['topic'],
  console: { title: 'topic' },
})
const plain = entity('plain', { fields: { name: text() } })

interface Hit {
  id: string
  title: string
  match: string
  member: string
  excerpt: string
}

onEachDatabase('A search over all entities', (database) => {
  let service: TestService
  let tenant: TestTenant
  let ada: Client
  let adaId: string
  before(async () => {
    service = await startService(database, {}, { features: migrated([ticket, client, vault, letter, plain]) })
    tenant = await service.newTenant()
    adaId = (await tenant.admin.post('/api/users', person('ada'))).body.id
    ada = (await service.signIn('ada', tenant.id)).client
  })
  after(() => service.stop())

  const make = async (path: string, body: object): Promise<string> => {
    const made = await tenant.admin.post(`/api/${path}`, body)
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const search = (q: string, more = '', caller = tenant.admin) =>
    caller.get(`/api/search?q=${encodeURIComponent(q)}${more}`)
  const hitsIn = ({ body, text: whole }: Answer, name: string): Hit[] => {
    assert.ok(Array.isArray(body.found), whole)
    return body.found.find(({ entity: own }: { entity: string }) => own === name)?.hits ?? []
  }
  const titles = (answer: Answer, name: string) => hitsIn(answer, name).map(({ title }) => title)

  it('has the title that the definition names', async () => {
    await tenant.admin.post('/api/letters', { topic: 'Printer on fire' })
    assert.deepEqual(titles(await search('printer'), 'letter'), ['Printer on fire'])
  })

  it('finds a title by its beginning before words, and words before their parts', async () => {
    const made = ['a coalbin', 'a bin of oak', 'Bin collection', 'unrelated', 'cabin']
    for (const name of made) await make('clients', { name })
    const answer = await search('BIN')
    assert.deepEqual(titles(answer, 'client'), ['Bin collection', 'a bin of oak', 'cabin', 'a coalbin'])
    assert.deepEqual(
      hitsIn(answer, 'client').map(({ match }) => match),
      ['title', 'word', 'part', 'part'],
    )
    assert.deepEqual(titles(await search('oak bin'), 'client'), ['a bin of oak'])
    assert.deepEqual((await search('nothing like it')).body, { found: [], leftOut: [] })
  })

  it('shows where it matched, with the part of a long text around it', async () => {
    const body = `${'ä ß ﬃ '.repeat(500)}the needle lies here${' straw'.repeat(500)}`
    const id = await make('tickets', { subject: 'Haystack', body })
    const [hit] = hitsIn(await search('Needle'), 'ticket')
    assert.deepEqual([hit?.id, hit?.title, hit?.member, hit?.match], [id, '1', 'body', 'word'])
    assert.match(hit?.excerpt ?? '', /^….*the needle lies here straw.*…$/)
    assert.ok((hit?.excerpt.length ?? 0) < 130)
  })

  it('finds a row by its number, and by its id in any entity', async () => {
    const id = await make('tickets', { subject: 'numbered' })
    const { number } = (await tenant.admin.get(`/api/tickets/${id}`)).body
    await make('tickets', { subject: `mentions ${number}` })
    for (const q of [`${number}`, `#${number}`]) {
      const [hit] = hitsIn(await search(q), 'ticket')
      assert.deepEqual([hit?.id, hit?.match, hit?.member], [id, 'exact', 'number'])
    }
    const unsearched = await make('plains', { name: 'of no search' })
    for (const q of [id, ` ${unsearched.toUpperCase()} `]) {
      const { body } = await search(q)
      assert.deepEqual(
        body.found.map(({ hits }: { hits: Hit[] }) => hits.map((each) => [each.id, each.match])),
        [[[q.trim().toLowerCase(), 'exact']]],
      )
    }
    assert.deepEqual((await search(randomUUID())).body.found, [])
    assert.deepEqual(titles(await search('of no search'), 'plain'), [])
  })

  it('shows a few rows of each entity, and counts the others up to a bound', async () => {
    await Promise.all(Array.from({ length: 102 }, (_, n) => make('clients', { name: `many ${n}` })))
    const five = await search('many')
    const [found] = five.body.found
    assert.deepEqual([found.total, found.isCapped, found.hits.length], [100, true, 5])
    assert.equal(hitsIn(await search('many', '&limit=2'), 'client').length, 2)
    const seven = (await search('many 7')).body.found[0]
    assert.deepEqual([seven.total, seven.isCapped], [19, false])
  })

  it('looks in one entity if it is named', async () => {
    await make('clients', { name: 'both' })
    await make('vaults', { name: 'both' })
    const names = async (more: string) =>
      (await search('both', more)).body.found.map(({ entity: own }: { entity: string }) => own)
    assert.deepEqual(await names(''), ['client', 'vault'])
    assert.deepEqual(await names('&entity=vault'), ['vault'])
  })

  it('finds nothing that the caller does not reach: entities, rows, members, tenants', async () => {
    const mine = await make('tickets', { subject: 'findable mine', secret: canary, ownerId: adaId })
    await make('tickets', { subject: 'findable theirs' })
    const hidden = await make('vaults', { name: 'findable vault' })
    const other = await service.newTenant()
    const foreign = await other.admin.post('/api/clients', { name: 'findable foreign' })
    const answer = await search('findable', '', ada)
    assert.deepEqual(
      answer.body.found.map(({ total, hits }: { total: number; hits: Hit[] }) => [
        total,
        hits.map(({ id }) => id),
      ]),
      [[1, [mine]]],
    )
    assert.equal(hitsIn(await search(canary), 'ticket').length, 1)
    for (const q of [canary, canary.slice(0, 5), hidden, foreign.body.id])
      assert.deepEqual((await search(q, '', ada)).body.found, [], q)
    const refused = await search('findable', '&entity=vault', ada)
    assert.equal(refused.status, 400)
    assert.doesNotMatch(answer.text, new RegExp(canary))
    assert.doesNotMatch(refused.text.replaceAll('entity: vault', ''), /vault/)
  })

  it('refuses what it does not understand', async () => {
    const faulty = [
      '',
      '?q=',
      '?q=%20',
      '?q=a&limit=0',
      '?q=a&limit=21',
      '?q=a&entity=cleint',
      '?q=a&other=1',
    ]
    for (const query of [...faulty, `?q=${'a '.repeat(9)}`, `?q=${'a'.repeat(201)}`])
      assert.equal((await tenant.admin.get(`/api/search${query}`)).status, 400, query)
    assert.equal((await service.anonymous.get('/api/search?q=a')).status, 401)
  })
})
