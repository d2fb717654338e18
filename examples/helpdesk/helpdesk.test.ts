import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestService, type TestCaller, type TestService, type TestTenant } from '../../src/testing.ts'
import { comment } from './comment.ts'
import { ticket } from './ticket.ts'

let service: TestService
let tenant: TestTenant
/** Ada and Bob are customers. Red and blue are agents of different teams. */
let ada: TestCaller
let bob: TestCaller
let red: TestCaller
let blue: TestCaller
let ticketOfAda: string

const pdf = new Blob(['%PDF-1.4\n%%EOF\n'], { type: 'application/pdf' })

before(async () => {
  service = await createTestService({ config: new URL('tenantry.config.ts', import.meta.url) })
  tenant = await service.newTenant()
  const { admin } = tenant
  const newUser = (role: string) => tenant.newUser({ roles: [role] })
  ;[ada, bob] = [await newUser('Customer'), await newUser('Customer')]
  ;[red, blue] = [await newUser('Agent'), await newUser('Agent')]
  const teamOf = async (memberId: string | null, name: string) => {
    const { body } = await admin.post('/api/teams', { name })
    await admin.post('/api/team-members', { teamId: body.id, memberId })
    return body.id
  }
  const redId = await teamOf(red.userId, 'red')
  await teamOf(blue.userId, 'blue')
  for (const contact of [ada, bob])
    await admin.post('/api/customers', { name: 'Nordic Timber', contactId: contact.userId })
  const [own] = (await ada.get('/api/customers')).body
  ticketOfAda = (await ada.post('/api/tickets', { title: 'It squeaks', customerId: own.id })).body.id
  await admin.patch(`/api/tickets/${ticketOfAda}`, { teamId: redId, cost: 40 })
})
after(() => service.stop())

const titles = async (caller: TestCaller) =>
  (await caller.get('/api/tickets')).body.map(({ title }: { title: string }) => title)

const upload = async (caller: TestCaller): Promise<string> => {
  const init = { method: 'POST', body: pdf, headers: { 'content-type': pdf.type } }
  const reply = await caller.fetch('/api/files?name=a.pdf', init)
  return ((await reply.json()) as { id: string }).id
}

test('a customer sees its own tickets, and a team the tickets of the team', async () => {
  assert.deepEqual(await titles(ada), ['It squeaks'])
  assert.deepEqual(await titles(red), ['It squeaks'])
  assert.deepEqual(await titles(bob), [])
  assert.deepEqual(await titles(blue), [])
  const query = '{ tickets { totalCount nodes { title customer { name } } } }'
  assert.deepEqual(await bob.graphql(query), { tickets: { totalCount: 0, nodes: [] } })
})

test('a caller does not find tickets of others', async () => {
  for (const [caller, seen] of [
    [ada, true],
    [red, true],
    [bob, false],
    [service.anonymous, false],
  ] as const) {
    const found = await tenant.as(caller, (context) => ticket.find(context, ticketOfAda))
    assert.equal(found !== null, seen)
  }
  assert.equal((await bob.patch(`/api/tickets/${ticketOfAda}`, { title: 'Mine' })).status, 404)
  assert.equal((await blue.post(`/api/tickets/${ticketOfAda}/close`)).status, 404)
})

test('a customer opens tickets for itself alone', async () => {
  const { customerId } = (await ada.get(`/api/tickets/${ticketOfAda}`)).body
  assert.equal((await bob.post('/api/tickets', { title: 'Not mine', customerId })).status, 400)
  const kept = await ada.patch(`/api/tickets/${ticketOfAda}`, { teamId: null })
  assert.equal(kept.status, 403)
})

test('the page and the panel of the console are for agents', async () => {
  const frames: { label: string; place: string }[] = (await red.get('/api/console?language=fr')).body
  assert.deepEqual(
    frames.map(({ label, place }) => [label, place]),
    [
      ['Charge', 'page'],
      ['Autres tickets du client', 'row.side'],
    ],
  )
  assert.deepEqual((await ada.get('/api/console')).body, [])
})

test('cost and notes are for teams', async () => {
  assert.equal('cost' in (await ada.get(`/api/tickets/${ticketOfAda}`)).body, false)
  assert.equal((await ada.get('/api/tickets?sort=cost')).status, 403)
  assert.equal((await red.get(`/api/tickets/${ticketOfAda}`)).body.cost, 40)
  assert.equal((await red.post('/api/notes', { ticketId: ticketOfAda, body: 'Third time' })).status, 201)
  assert.equal((await ada.get('/api/notes')).status, 403)
  assert.deepEqual((await blue.get('/api/notes')).body, [])
})

test('comments are public for both sides, and changed by their author', async () => {
  const made = await red.post('/api/comments', { ticketId: ticketOfAda, body: 'We look at it' })
  assert.deepEqual([made.status, made.body.authorId], [201, red.userId])
  const path = `/api/comments/${made.body.id}`
  assert.equal((await ada.get(path)).status, 200)
  assert.equal((await ada.patch(path, { body: 'Never' })).status, 403)
  assert.equal((await bob.get(path)).status, 404)
  await assert.rejects(
    tenant.as(bob, (context) => comment.create(context, { ticketId: ticketOfAda, body: 'Let me in' })),
    /ticketId: names no ticket/,
  )
})

test('files are seen with what they belong to', async () => {
  const [attached, internal] = [await upload(red), await upload(red)]
  await red.post('/api/comments', { ticketId: ticketOfAda, body: 'See this', attachmentId: attached })
  await red.post('/api/notes', { ticketId: ticketOfAda, body: 'Not this', fileId: internal })
  const status = async (caller: TestCaller, id: string) => (await caller.get(`/api/files/${id}`)).status
  assert.deepEqual([await status(ada, attached), await status(ada, internal)], [200, 404])
  assert.deepEqual([await status(red, attached), await status(red, internal)], [200, 200])
  assert.deepEqual([await status(bob, attached), await status(blue, internal)], [404, 404])
})
