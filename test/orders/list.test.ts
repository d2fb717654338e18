/** The list of orders, compared with the same orders filtered and sorted in JavaScript. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import type { Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { comparing } from '../support/list-order.ts'
import { newProduct } from '../support/orders.ts'
import { runSeed, runsOf } from '../support/run/extent.ts'
import { sharedService, type TestService, type TestTenant } from '../support/service.ts'

interface Order {
  id: string
  number: number
  customerId: string
  status: string
  currency: string | null
  total: number
  createdAt: string
}

interface Condition {
  parameter: string
  value: string
  matches(order: Order): boolean
}

const conditions: Condition[] = [
  { parameter: 'status', value: 'PAID', matches: ({ status }) => status === 'PAID' },
  { parameter: 'status[neq]', value: 'PAID', matches: ({ status }) => status !== 'PAID' },
  { parameter: 'status[in]', value: 'PAID,CANCELLED', matches: ({ status }) => status !== 'PENDING' },
  { parameter: 'customerId', value: 'Ada', matches: ({ customerId }) => customerId === 'Ada' },
  { parameter: 'customerId[icontains]', value: 'AD', matches: ({ customerId }) => /ad/i.test(customerId) },
  { parameter: 'currency', value: 'EUR', matches: ({ currency }) => currency === 'EUR' },
  { parameter: 'currency[isNull]', value: 'true', matches: ({ currency }) => currency === null },
  { parameter: 'total[gt]', value: '59.97', matches: ({ total }) => total > 59.97 },
  { parameter: 'total[lte]', value: '59.97', matches: ({ total }) => total <= 59.97 },
  { parameter: 'number[gte]', value: '7', matches: ({ number }) => number >= 7 },
]

const keys = ['number', 'customerId', 'status', 'currency', 'total', 'createdAt'] as const

onEitherDatabase('A list of orders', (database) => {
  let service: TestService
  let tenant: TestTenant
  let user: Client
  let orders: Order[]
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
    user = tenant.user
    const desk = await newProduct(user, { name: 'Desk', price: 19.99 })
    for (let index = 0; index < 24; index++) {
      const placed = await user.post('/api/orders', {
        customerId: ['Ada', 'adam', 'Zoë'][index % 3],
        currency: index % 4 === 0 ? 'EUR' : null,
        items: [{ productId: desk.id, quantity: (index % 5) + 1 }],
      })
      assert.equal(placed.status, 201, placed.text)
      const end = ['pay', 'cancel', null][index % 7]
      if (typeof end === 'string') await user.post(`/api/orders/${placed.body.id}/${end}`)
    }
    orders = (await user.get('/api/orders?limit=200')).body
    assert.equal(orders.length, 24)
  })
  after(() => service.stop())

  const pagesOf = async (query: URLSearchParams): Promise<Order[]> => {
    const found: Order[] = []
    for (let path = `/api/orders?${query}`; path !== ''; ) {
      const { status, body, headers, text } = await user.get(path)
      assert.equal(status, 200, text)
      found.push(...body)
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? ''
    }
    return found
  }

  it('has the orders that all conditions allow, in the order of all keys, page by page', async () => {
    const anyRequest = fc.record({
      chosen: fc.uniqueArray(fc.constantFrom(...conditions), {
        selector: ({ parameter }) => parameter,
        maxLength: 3,
      }),
      sort: fc.uniqueArray(fc.record({ name: fc.constantFrom(...keys), descending: fc.boolean() }), {
        selector: ({ name }) => name,
        maxLength: 3,
      }),
      limit: fc.integer({ min: 1, max: 30 }),
    })
    await fc.assert(
      fc.asyncProperty(anyRequest, async ({ chosen, sort, limit }) => {
        const query = new URLSearchParams({ limit: `${limit}` })
        for (const { parameter, value } of chosen) query.set(parameter, value)
        const words = sort.map(({ name, descending }) => `${descending ? '-' : ''}${name}`)
        if (words.length > 0) query.set('sort', words.join())
        const expected = orders
          .filter((order) => chosen.every(({ matches }) => matches(order)))
          .toSorted(comparing(sort))
        assert.deepEqual(await pagesOf(query), expected, `${query}`)
      }),
      { numRuns: runsOf(15, 60), seed: runSeed },
    )
  })

  it('counts the orders of all pages, and returns the members that are asked for', async () => {
    const { body, headers } = await user.get(
      '/api/orders?total[gt]=20&count=true&limit=2&fields=number,items',
    )
    const expected = orders.filter(({ total }) => total > 20)
    assert.equal(headers.get('x-total-count'), `${expected.length}`)
    assert.deepEqual(
      body.map((order: Order) => [Object.keys(order), order.number]),
      expected.slice(0, 2).map(({ number }) => [['number', 'items'], number]),
    )
  })

  it('refuses what it does not know, with the nearest name', async () => {
    for (const [query, reason] of [
      ['totel=1', /totel: .*did you mean total\?/],
      ['total[contains]=1', /total\[contains\]: /],
      ['status=OPEN', /status: must be one of PENDING, PAID, CANCELLED/],
      [`customerId=${'x'.repeat(101)}`, /customerId: /],
      ['sort=totel', /sort: totel .*did you mean total\?/],
      ['sort=items', /sort: items/],
      ['fields=product', /fields: product/],
      ['cursor=nonsense&sort=total', /cursor: /],
    ] as const)
      assertError(await user.get(`/api/orders?${query}`), 400, reason)
  })

  it('has no order of another tenant', async () => {
    const { user: stranger } = await service.newTenant()
    for (const query of ['sort=-total', 'count=true', 'customerId[icontains]=a', 'fields=id']) {
      const { status, body, headers } = await stranger.get(`/api/orders?${query}`)
      assert.deepEqual([status, body], [200, []])
      assert.ok(['0', null].includes(headers.get('x-total-count')))
    }
  })

  it('is paged without parameters, by the addresses that it had before', async () => {
    const { headers } = await user.get('/api/orders?limit=1')
    const [first] = orders
    const cursor = Buffer.from(String(first?.id)).toString('base64url')
    assert.equal(headers.get('link'), `</api/orders?limit=1&cursor=${cursor}>; rel="next"`)
  })
})
