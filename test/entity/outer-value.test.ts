/** Values and cursors at the limits of what a database holds: both answer alike, and none with a failure. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { Type } from 'typebox'
import { date, entity, type Feature, listOrders, listUsers, route, text, timestamp } from '../../src/index.ts'
import type { Answer, Client } from '../support/client.ts'
import { onEachDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { newProduct, orderOf } from '../support/orders.ts'
import { nextPage } from '../support/pages.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { migrated } from './migrated.ts'

const visit = entity('visit', {
  fields: { place: text(), day: date().optional(), at: timestamp().optional() },
  search: ['place'],
})

/** What an application does with the verbs that the package exports. */
const verbs: Feature = {
  name: 'verbs',
  routes: [
    route({
      method: 'GET',
      path: '/api/rows-after/:place',
      summary: 'List by verbs',
      tag: 'Verbs',
      access: 'user',
      status: 200,
      reply: Type.Object({ orders: Type.Integer(), users: Type.Integer() }),
      handle: async (context, { path }) => {
        const { place = '' } = path
        const range = { after: place === 'none' ? '' : place, limit: 2 }
        const { orders } = await listOrders(context, range)
        return { orders: orders.length, users: (await listUsers(context, undefined, range)).length }
      },
    }),
  ],
}

const outsideYears = [
  '0000-01-01T00:00:00.000Z',
  '0001-01-01T00:00:00.000+14:00',
  '9999-12-31T23:59:59.999-14:00',
  '+010000-01-01T00:00:00.000Z',
  '-000001-01-01T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z',
]
const firstAndLast = ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']

onEachDatabase('At the limits', (database) => {
  let service: TestService
  let tenant: TestTenant
  let user: Client
  before(async () => {
    service = await startService(database, {}, { features: [...migrated([visit]), verbs] })
    tenant = await service.newTenant()
    user = tenant.user
    for (const at of firstAndLast) {
      const { status, text: told } = await user.post('/api/visits', { place: 'a', at, day: at.slice(0, 10) })
      assert.equal(status, 201, told)
    }
  })
  after(() => service.stop())

  it('a moment or a day outside of the years 1 to 9999 is not valid, in a body, a filter or a period', async () => {
    for (const moment of outsideYears) {
      const encoded = encodeURIComponent(moment)
      assertError(await user.post('/api/visits', { place: 'a', at: moment }), 400)
      assertError(await user.get(`/api/visits?at=${encoded}`), 400)
      assertError(await user.get(`/api/visits?createdAt[gt]=${encoded}`), 400)
      assertError(await tenant.admin.get(`/api/webhooks/deliveries?since=${encoded}`), 400)
      const query = `{ visits(where: { at: { gt: "${moment}" } }) { id } }`
      assert.match((await user.post('/graphql', { query })).text, /not a valid DateTime/)
    }
    assertError(await user.post('/api/visits', { place: 'a', day: '0000-01-01' }), 400)
    assertError(await user.get('/api/visits?day=0000-01-01'), 400)
    assert.match(
      (await user.post('/graphql', { query: '{ visits(where: { day: { eq: "0000-01-01" } }) { id } }' }))
        .text,
      /not a valid Date/,
    )
  })

  it('the first and the last moment are stored, found and paged', async () => {
    for (const at of firstAndLast) {
      const { body } = await user.get(`/api/visits?at=${at}`)
      assert.deepEqual(
        body.map((row: { at: string; day: string }) => [row.at, row.day]),
        [[at, at.slice(0, 10)]],
      )
    }
    const second = await user.get(nextPage(await user.get('/api/visits?limit=1&sort=at')) ?? '')
    assert.equal(second.body[0].at, firstAndLast[1])
  })

  it('a cursor with a value that no row has is refused, or leads to what follows it', async () => {
    const values = [null, '', 'a', '\0', '\ud800', 'x'.repeat(3000), 1, 1e308, true, ...outsideYears]
    for (const sort of ['at', '-at', 'day', 'createdAt', '-createdAt', 'place', '-place', 'id', '-id']) {
      const page = await user.get(`/api/visits?limit=1&sort=${sort}`)
      for (const { address, value } of forgedPages(page, values)) {
        const answer = await user.get(address)
        const isRefused = outsideYears.includes(String(value)) && !sort.endsWith('place')
        assert.ok(
          isRefused ? answer.status === 400 : answer.status <= 400,
          `${sort} ${value}: ${answer.text}`,
        )
      }
    }
  })

  it('a cursor that is none is refused by every list, over REST and GraphQL', async () => {
    const encoded = (id: string) => Buffer.from(id).toString('base64url')
    const ids = ['', '\0', 'a', 'a'.repeat(140), '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c1\0', 'é'.repeat(9)]
    const cursors = ['', '%00', '_', 'x'.repeat(150), ...ids.map(encoded)]
    const lists = service.service.features
      .flatMap(({ routes = [] }) => routes)
      .filter(({ path, query }) => JSON.stringify(query ?? {}).includes('"cursor"') && !path.includes(':'))
      .map(({ path }) => path)
    assert.ok(lists.length > 10, `${lists}`)
    for (const path of lists) {
      // A tenant may have any id, and a list of tenants begins after any text.
      const isOfTenants = /^\/api\/tenant/.test(path)
      for (const cursor of cursors) {
        const answer = await service.host.get(`${path}?cursor=${cursor}`)
        const isAccepted = isOfTenants && answer.status === 200
        if (!isAccepted) assertError(answer, 400)
      }
    }
    for (const cursor of ['', '\\u0000', '_', encoded('[]'), encoded('["", null]')]) {
      for (const place of [`after: "${cursor}"`, `before: "${cursor}", last: 1`]) {
        const { body, text: told } = await user.post('/graphql', {
          query: `{ productsConnection(${place}) { nodes { id } } }`,
        })
        assert.match(String(body.errors?.[0]?.message), /does not belong to this list/, told)
      }
    }
  })

  it('a verb lists from the first row without an id, and refuses what is none', async () => {
    await tenant.admin.post('/api/orders', orderOf([[await newProduct(tenant.admin), 1]]))
    const { status, body, text: told } = await tenant.admin.get('/api/rows-after/none')
    assert.equal(status, 200, told)
    assert.deepEqual(body, { orders: 1, users: 2 })
    for (const none of ['x', '%00', '0198c6f0'])
      assertError(await tenant.admin.get(`/api/rows-after/${none}`), 400)
  })
})

/** The addresses of the next page, with another value in each place of the cursor. */
function forgedPages(page: Answer, values: readonly unknown[]): { address: string; value: unknown }[] {
  const url = new URL(nextPage(page) ?? '', 'http://localhost')
  const cursor = Buffer.from(url.searchParams.get('cursor') ?? '', 'base64url').toString()
  const [digest, ...position]: unknown[] = JSON.parse(cursor)
  return position.flatMap((_, index) =>
    values.map((value) => {
      const forged = JSON.stringify([digest, ...position.with(index, value)])
      url.searchParams.set('cursor', Buffer.from(forged).toString('base64url'))
      return { address: `${url.pathname}${url.search}`, value }
    }),
  )
}
