/** The figure that a definition names on the first page: of the rows that the caller reaches, and reads. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { date, entity, integer, money, oneOf, text, timestamp, user } from '../../../src/index.ts'
import { migrated } from '../../entity/migrated.ts'
import type { Client } from '../../support/client.ts'
import { TestClock } from '../../support/clock.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { person, startService, type TestService, type TestTenant } from '../../support/service.ts'

const sale = entity('sale', {
  fields: { total: money(), state: oneOf('open', 'done').default('open'), seller: user().optional() },
  access: {
    rows: ({ row, actor }) => row.seller.is(actor.id),
    fields: { total: { read: 'sale:total' } },
  },
  console: { home: { figure: 'sum(total)', label: 'Sold', if: { state: 'done' } } },
  labels: { de: { texts: { Sold: 'Verkauft' } } },
})
const task = entity('task', {
  fields: { title: text(), dueOn: date(), owner: user().optional() },
  console: { home: { figure: 'count', if: { 'dueOn[lt]': 'today', owner: 'me' } } },
})
const grade = entity('grade', {
  fields: { points: integer(), givenAt: timestamp().optional(), word: text().default('today') },
  console: { home: { figure: 'avg(points)', if: { 'givenAt[gte]': 'now-7', word: 'today' } } },
})

onEachDatabase('The figure of an entity', (database) => {
  let service: TestService
  let tenant: TestTenant
  const clock = new TestClock()
  before(async () => {
    service = await startService(database, {}, { features: migrated([sale, task, grade]), clock: clock.now })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const make = async (path: string, body: object) => {
    const made = await tenant.admin.post(`/api/${path}`, body)
    assert.equal(made.status, 201, made.text)
  }
  const figureOf = async (name: string, client: Client = tenant.admin): Promise<string | null> => {
    const { status, body, text: reply } = await client.get('/api/home')
    assert.equal(status, 200, reply)
    return body.entities.find(({ entity: own }: { entity: string }) => own === name).figure
  }

  it('is an exact sum of the rows that the caller reaches, for those who read what it adds up', async () => {
    assert.equal(await figureOf('sale'), '0')
    const permissions = ['sale:read', 'sale:total']
    await tenant.admin.post('/api/roles', { name: 'Seller', permissions })
    const { body: ada } = await tenant.admin.post('/api/users', person('ada', { roles: ['Seller'] }))
    await tenant.admin.post('/api/roles', { name: 'Guest', permissions: ['sale:read'] })
    await tenant.admin.post('/api/users', person('guest', { roles: ['Guest'] }))
    await make('sales', { total: 0.1, state: 'done', sellerId: ada.id })
    await make('sales', { total: 0.2, state: 'done', sellerId: ada.id })
    await make('sales', { total: 5, state: 'open', sellerId: ada.id })
    await make('sales', { total: 1000, state: 'done' })
    assert.equal(await figureOf('sale'), '1000.3')
    assert.equal(await figureOf('sale', (await service.signIn('ada', tenant.id)).client), '0.3')
    assert.equal(await figureOf('sale', (await service.signIn('guest', tenant.id)).client), null)
    assert.equal(await figureOf('sale', (await service.newTenant()).admin), '0')
  })

  it('counts rows by the day, and by who asks', async () => {
    const [me] = (await tenant.admin.get('/api/users?userName=boss')).body
    const day = (days: number) =>
      new Date(clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)
    await make('tasks', { title: 'late', dueOn: day(-1), ownerId: me.id })
    await make('tasks', { title: 'late of nobody', dueOn: day(-1) })
    await make('tasks', { title: 'due', dueOn: day(0), ownerId: me.id })
    assert.equal(await figureOf('task'), '1')
    clock.advance({ days: 1 })
    tenant.admin = (await service.signIn('boss', tenant.id)).client
    assert.equal(await figureOf('task'), '2')
  })

  it('is an average, and none of no values', async () => {
    const ago = (days: number) => new Date(clock.now().getTime() - days * 86_400_000).toISOString()
    await make('grades', { points: 100, givenAt: ago(8) })
    assert.equal(await figureOf('grade'), null)
    await make('grades', { points: 1, givenAt: ago(6) })
    await make('grades', { points: 2, givenAt: ago(1) })
    await make('grades', { points: 50, givenAt: ago(1), word: 'other' })
    assert.equal(await figureOf('grade'), '1.5')
  })

  it('has its label in the language asked for', async () => {
    const { body } = await tenant.admin.get('/api/entities?language=de')
    const described = body.find(({ name }: { name: string }) => name === 'sale')
    assert.deepEqual(described.console.home, {
      figure: 'sum(total)',
      label: 'Verkauft',
      if: { state: 'done' },
    })
  })
})
