/** What the first page shows: figures, what waits, what the caller changed last, and steps of setting up. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { entity, text, user } from '../../../src/index.ts'
import { migrated } from '../../entity/migrated.ts'
import { enqueueFor, newWork, workFeature } from '../../jobs/work-feature.ts'
import type { Client } from '../../support/client.ts'
import { TestClock } from '../../support/clock.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { person, startService, type TestService, type TestTenant } from '../../support/service.ts'
import { png } from '../../tenancy/brand/picture.ts'

const canary = 'canary-7d1f'

const ticket = entity('ticket', {
  fields: { title: text(), owner: user().optional() },
  access: {
    rows: {
      read: ({ row, actor }) => row.owner.is(actor.id),
      create: ({ row, actor }) => row.owner.is(actor.id),
      update: ({ row, actor }) => row.owner.is(actor.id),
      delete: ({ row, actor }) => row.owner.is(actor.id),
    },
  },
})
const vault = entity('vault', { fields: { name: text() }, access: { read: 'admin', write: 'admin' } })
const secretive = entity('secretive', {
  fields: { title: text().optional(), note: text().optional() },
  access: { fields: { title: { read: 'secretive:title' } } },
})

onEitherDatabase('The home page', (database) => {
  let service: TestService
  let tenant: TestTenant
  let ada: Client
  let adaId: string
  const clock = new TestClock()
  const work = newWork(() => {
    throw new Error('fails')
  })
  before(async () => {
    const features = migrated([ticket, vault, secretive])
    const failing = workFeature(work, { retrySeconds: [] })
    service = await startService(database, {}, { features: [...features, failing], clock: clock.now })
    tenant = await service.newTenant()
    adaId = (await tenant.admin.post('/api/users', person('ada'))).body.id
    ada = (await service.signIn('ada', tenant.id)).client
  })
  after(() => service.stop())

  const home = async (client: Client) => {
    const answer = await client.get('/api/home')
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const make = async (path: string, body: object, client = tenant.admin): Promise<string> => {
    const made = await client.post(`/api/${path}`, body)
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const figuresOf = (body: { entities: { entity: string }[] }, name: string) =>
    body.entities.find(({ entity: own }) => own === name)
  const doneOf = ({ steps }: { steps: { kind: string; isDone: boolean }[] }) =>
    Object.fromEntries(steps.map(({ kind, isDone }) => [kind, isDone]))

  it('shows the rows that the caller changed last, with the titles that they have now', async () => {
    const [first = '', second = ''] = [
      await make('tickets', { title: 'first', ownerId: adaId }),
      await make('tickets', { title: 'second', ownerId: adaId }),
    ]
    const gone = await make('tickets', { title: 'gone', ownerId: adaId })
    await ada.patch(`/api/tickets/${gone}`, { title: 'gone soon' })
    await ada.patch(`/api/tickets/${first}`, { title: 'first of ada' })
    await ada.patch(`/api/tickets/${second}`, { title: 'second of ada' })
    await tenant.admin.patch(`/api/tickets/${first}`, { title: 'first of admin' })
    await tenant.admin.patch(`/api/tickets/${gone}`, { ownerId: null })
    const { recent } = await home(ada)
    assert.deepEqual(
      recent.map(({ id, title, action }: Record<string, string>) => [id, title, action]),
      [
        [second, 'second of ada', 'ticket.updated'],
        [first, 'first of admin', 'ticket.updated'],
      ],
      'a row out of reach is not shown',
    )
    await Promise.all(Array.from({ length: 10 }, (_, n) => make('vaults', { name: `vault ${n}` })))
    assert.equal((await home(tenant.admin)).recent.length, 8)
  })

  it('shows no title that the caller does not read', async () => {
    const id = await make('secretives', { title: canary })
    await ada.patch(`/api/secretives/${id}`, { note: 'seen' })
    const body = await home(ada)
    assert.deepEqual([body.recent[0].id, body.recent[0].title], [id, 'seen'])
    assert.doesNotMatch(JSON.stringify(body), new RegExp(canary))
  })

  it('shows what waits, to those who may see it', async () => {
    await enqueueFor(service, tenant.id, 1)
    await eventually('the job fails', soonMs, async () => (await home(tenant.admin)).needsYou.length === 1)
    assert.deepEqual((await home(tenant.admin)).needsYou, [{ kind: 'failedJobs', count: 1, isCapped: false }])
    assert.deepEqual((await home(ada)).needsYou, [])
    assert.deepEqual((await home((await service.newTenant()).admin)).needsYou, [])
  })

  it('ticks the steps of setting up by the state of the service', async () => {
    const fresh = await service.newTenant()
    const none = {
      firstRow: false,
      secondUser: true, // `newTenant` makes one
      secondFactor: false,
      webhookDelivered: false,
      apiKeyUsed: false,
      brandSet: false,
    }
    assert.deepEqual(doneOf(await home(fresh.admin)), none)
    await make('vaults', { name: 'first' }, fresh.admin)
    await fresh.admin.put('/api/tenant/settings', { brandColor: '#112233' })
    assert.deepEqual(doneOf(await home(fresh.admin)), { ...none, firstRow: true, brandSet: true })
    assert.deepEqual(Object.keys(doneOf(await home(ada))).toSorted(), [
      'firstRow',
      'secondFactor',
      'webhookDelivered',
    ])
    const withLogo = (await service.newTenant()).admin
    await withLogo.send('PUT', '/api/tenant/brand/logo', png(8, 8), { 'content-type': 'image/png' })
    assert.equal(doneOf(await home(withLogo))['brandSet'], true)
    const ofHost = doneOf(await home(service.host))
    assert.deepEqual(Object.fromEntries(Object.entries(ofHost).filter(([kind]) => !(kind in none))), {
      backupMade: false,
      mailSent: false,
      publicAddress: false,
      secondAdministrator: false,
    })
    await service.host.post('/api/users', person('deputy', { roles: ['Admin'] }))
    const { secondAdministrator, secondUser } = doneOf(await home(service.host))
    assert.deepEqual([secondAdministrator, secondUser], [true, true])
  })

  it('counts what the caller reaches, and the rows of each of the last days', async () => {
    const fresh = await service.newTenant()
    const signedIn = async () => (await service.signIn('boss', fresh.id)).client
    const makeMany = async (count: number) => {
      const boss = await signedIn()
      for (let n = 0; n < count; n++) await make('tickets', { title: `${n}` }, boss)
    }
    await makeMany(2)
    clock.advance({ days: 20 })
    await makeMany(3)
    clock.advance({ days: 1 })
    await makeMany(1)
    const boss = await signedIn()
    const body = await home(boss)
    const created = [...Array(12).fill(0), 3, 1]
    const figures = { entity: 'ticket', count: 6, isCapped: false, created, change: 2, figure: null }
    assert.deepEqual(figuresOf(body, 'ticket'), figures)
    assert.equal(body.days.length, 14)
    assert.equal(body.days.at(-1), clock.now().toISOString().slice(0, 10))
    const seen = await home((await service.signIn('ada', tenant.id)).client)
    assert.equal(figuresOf(seen, 'vault'), undefined)
    assert.deepEqual(figuresOf(seen, 'ticket'), {
      entity: 'ticket',
      count: 2,
      isCapped: false,
      created: Array(14).fill(0),
      change: -2,
      figure: null,
    })
    assert.equal((await service.anonymous.get('/api/home')).status, 401)
  })
})
