/** Pages of a list: `limit`, `cursor` and the link to the next. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Answer, Client } from '../../support/client.ts'
import { onEachDatabase, onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { nextPage, walkPages } from '../../support/pages.ts'
import { insertProducts } from '../../support/product-rows.ts'
import { sharedService, type TestService, type TestTenant } from '../../support/service.ts'

const total = 70

onEachDatabase('Pages of products', (database) => {
  let service: TestService
  let tenant: TestTenant
  let ids: string[]
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
    const names = Array.from({ length: total }, (_, index) => `Desk ${index}`)
    ids = await insertProducts(service, tenant.id, names)
  })
  after(() => service.stop())

  for (const limit of [1, 7, 35, 69, 70, 71, 200]) {
    it(`of ${limit} have every row once, in the order of creation`, async () => {
      const pages = await walkPages(tenant.user, `/api/products?limit=${limit}`)
      assert.deepEqual(idsOnPages(pages), ids)
      assert.equal(pages.length, Math.ceil(total / limit))
      for (const page of pages.slice(0, -1)) assert.equal(page.body.length, limit)
    })
  }

  it('together hold what the whole list holds, member by member', async () => {
    const pages = await walkPages(tenant.user, '/api/products?limit=33')
    const whole = await tenant.user.get('/api/products')
    assert.equal(nextPage(whole), null)
    assert.deepEqual(
      pages.flatMap(({ body }) => body),
      whole.body,
    )
  })

  it('come from every list', async () => {
    const active = await walkPages(tenant.user, '/api/products/active?limit=7')
    assert.deepEqual(
      idsOnPages(active),
      ids.filter((_, index) => index % 2 === 0),
    )
    const found = await walkPages(tenant.user, '/api/products/search/desk%201?limit=3')
    assert.deepEqual(
      idsOnPages(found),
      ids.filter((_, index) => `${index}`.startsWith('1')),
    )
    for (let index = 0; index < 5; index++)
      await tenant.user.post('/api/categories', { name: `Category ${index}` })
    const categories = await walkPages(tenant.user, '/api/categories?limit=2')
    assert.deepEqual(
      categories.map(({ body }) => body.map(({ name }: { name: string }) => name)),
      [['Category 0', 'Category 1'], ['Category 2', 'Category 3'], ['Category 4']],
    )
  })

  it('are sorted, filtered, counted and cut to members in every list', async () => {
    const query = 'sort=-price,name&name[endsWith]=8&fields=name&count=true&limit=2'
    const active = await tenant.user.get(`/api/products/active?${query}`)
    const found = await tenant.user.get(`/api/products/search/desk%201?${query}`)
    const shown = [active, found].map(({ body, headers }) => [headers.get('x-total-count'), ...body])
    const expected = (await tenant.user.get(`/api/products?${query}&isActive=true`)).body
    assert.deepEqual(shown, [
      ['7', ...expected],
      ['1', { name: 'Desk 18' }],
    ])
    const hidden = await tenant.user.get('/api/products/search/desk?fields=isActive')
    assertError(hidden, 400, 'fields: isActive is not a member of a row')
  })

  it('can be read without a token, and of one tenant only', async () => {
    const anonymous = service.anonymous.with({ 'x-tenant-id': tenant.id })
    assert.deepEqual(idsOnPages(await walkPages(anonymous, '/api/products?limit=50')), ids)
    const stranger = await service.newTenant()
    const [page] = await walkPages(tenant.user, '/api/products?limit=50')
    assert.ok(page)
    assert.deepEqual((await stranger.user.get(nextPage(page) ?? '')).body, [])
  })

  it('stay with the tenant that the address of the first one names', async () => {
    const pages = await walkPages(service.anonymous, `/api/products?limit=50&tenant=${tenant.id}`)
    assert.deepEqual(idsOnPages(pages), ids)
  })

  it('have 50 rows when only a cursor is given', async () => {
    const first = await tenant.user.get('/api/products?limit=10')
    const cursor = new URL(nextPage(first) ?? '', service.url).searchParams.get('cursor')
    const second = await tenant.user.get(`/api/products?cursor=${cursor}`)
    assert.deepEqual(idsOnPages([second]), ids.slice(10, 60))
  })

  it('lose and repeat nothing while rows come and go', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `Lamp ${index}`)
    const lamps = await insertProducts(service, tenant.id, names)
    const late: string[] = []
    const unseen = new Set<string>()
    const remove = async (place: number) => {
      const id = lamps[place] ?? ''
      return (await tenant.user.delete(`/api/products/${id}`)).status === 204 ? id : null
    }
    const pages = await walkPages(tenant.user, '/api/products/search/lamp?limit=4', async (page) => {
      const last = lamps.indexOf(page.body.at(-1).id)
      if (late.length === 5 || last < 0) return
      await remove(last - 1)
      await remove(last) // the one that the cursor names
      const skipped = await remove(last + 3)
      if (skipped !== null) unseen.add(skipped)
      const { body } = await tenant.user.post('/api/products', { name: `Late lamp ${last}`, price: 1 })
      late.push(body.id)
    })
    assert.equal(unseen.size, 5)
    assert.deepEqual(idsOnPages(pages), [...lamps.filter((id) => !unseen.has(id)), ...late])
  })
})

onEitherDatabase('Parameters of pages', (database) => {
  let service: TestService
  let user: Client
  before(async () => {
    service = await sharedService(database)
    const tenant = await service.newTenant()
    user = tenant.user
    await insertProducts(service, tenant.id, ['a', 'b', 'c', 'd', 'e', 'f'])
  })
  after(() => service.stop())

  for (const limit of [
    '0',
    '201',
    '-1',
    '1.5',
    '1e2',
    'all',
    '',
    '%20',
    '1&limit=2',
    '99999999999999999999',
  ]) {
    it(`cannot have a limit of "${limit}"`, async () => {
      for (const path of [
        '/api/products',
        '/api/products/active',
        '/api/products/search/a',
        '/api/categories',
      ]) {
        assertError(await user.get(`${path}?limit=${limit}`), 400, /^limit: /)
      }
    })
  }

  for (const cursor of ['', 'abc', '%00', 'MDE5OGM2', '1&cursor=2', 'a'.repeat(201), '../..', '%27--']) {
    it(`cannot begin behind "${cursor.slice(0, 12)}", which no page has given out`, async () => {
      for (const path of [
        '/api/products',
        '/api/products/active',
        '/api/products/search/a',
        '/api/categories',
      ]) {
        assertError(await user.get(`${path}?cursor=${cursor}`), 400, /^cursor: /)
      }
    })
  }

  it('name both faults when limit and cursor are wrong', async () => {
    const answer = await user.get(`/api/products?limit=0&cursor=${'a'.repeat(8001)}`)
    assertError(answer, 400, /limit: .*; cursor: /)
  })

  it('refuse query parameters that they do not know, with the nearest one', async () => {
    const answer = await user.get('/api/products?limt=2&offset=3')
    assertError(answer, 400, /limt: .*; did you mean limit\?; offset: is not a parameter/)
    for (const path of ['/api/products/active', '/api/products/search/a'])
      assertError(await user.get(`${path}?offset=3`), 400, /offset: is not a parameter/)
  })
})

function idsOnPages(pages: Answer[]): string[] {
  return pages.flatMap(({ body }) => body.map(({ id }: { id: string }) => id))
}
