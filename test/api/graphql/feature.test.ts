/** A feature of an application gets what built-in ones have: lists, rows, pages, filters, orders, mutations. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { openOperator } from '../../../src/cli/with-operator.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { anyRequest } from '../../support/graphql/any-request.ts'
import { offerEntity, offerFeature } from '../../support/graphql/offer.ts'
import { type Row, type Sorting, select } from '../../support/graphql/oracle.ts'
import { newProduct } from '../../support/orders.ts'
import { runSeed, runsOf } from '../../support/run/extent.ts'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'

const fields = 'id title count price isOpen until size productId'
const create = `mutation ($input: OfferInput!) { createOffer(input: $input) { ${fields} } }`
const sortings: Sorting[] = fields.split(' ').flatMap((name) => [{ [name]: 'ASC' }, { [name]: 'DESC' }])

onEitherDatabase('A feature of one’s own', (database) => {
  let service: TestService
  let tenant: TestTenant
  let rows: Row[]
  before(async () => {
    service = await startService(database, {}, { features: [offerFeature] })
    tenant = await service.newTenant()
    rows = await newOffers()
  })
  after(() => service.stop())

  const ask = async (query: string, variables: object = {}) => {
    const { body } = await tenant.user.post('/graphql', { query, variables })
    assert.equal(body.errors, undefined, JSON.stringify(body.errors))
    return body.data
  }

  const newOffers = async (): Promise<Row[]> => {
    const products = [await newProduct(tenant.user, { name: 'Chair' }), await newProduct(tenant.user)]
    const made: Row[] = []
    for (let index = 0; index < 40; index++) {
      const product = products[index % 3]
      const input = {
        title: [null, '', 'a', 'ä', 'Z'][index % 5],
        count: [null, -1, 0, 7][index % 4],
        price: [null, 0, 0.0001, 12.5][index % 4],
        isOpen: [null, true, false][index % 3],
        until: [null, '2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.001Z'][index % 3],
        size: [null, 'LARGE', 'SMALL'][Math.floor(index / 3) % 3],
        productId: product?.id ?? null,
      }
      const { createOffer } = await ask(create, { input })
      assert.partialDeepStrictEqual(createOffer, input)
      made.push({ ...createOffer, product: (product ?? null) as Row | null })
    }
    return made
  }

  it('has single rows, and the row that a relation leads to', async () => {
    const [first, second, third] = rows
    const query = `query ($id: UUID!) { offer(id: $id) { title product { name } } }`
    for (const row of [first, second, third]) {
      const { offer } = await ask(query, { id: row?.['id'] })
      const product = row?.['product'] as { name: string } | null
      assert.deepEqual(offer, {
        title: row?.['title'],
        product: product === null ? null : { name: product.name },
      })
    }
    assert.deepEqual(await ask(query, { id: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11' }), { offer: null })
  })

  it('has lists, with filters and orders over every kind of field that may be null', async () => {
    const query =
      'query ($where: OfferFilterInput, $order: [OfferSortInput!]) { offers(where: $where, order: $order) { id } }'
    const agrees = fc.asyncProperty(anyRequest(offerEntity, rows), async ({ where, order }) => {
      const expected = select(offerEntity, rows, where, order).map(({ id }) => ({ id }))
      assert.deepEqual((await ask(query, { where, order })).offers, expected)
    })
    await fc.assert(agrees, { numRuns: runsOf(60, 300), seed: runSeed })
  })

  it('has pages by every field that may be null, forward and backward', async () => {
    const query = `query ($order: [OfferSortInput!], $first: Int, $after: String, $last: Int, $before: String) {
      offerPages(order: $order, first: $first, after: $after, last: $last, before: $before) {
        nodes { id } totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }`
    const pageOf = async (args: object) => (await ask(query, args)).offerPages
    for (const sorting of sortings) {
      const expected = select(offerEntity, rows, null, [sorting]).map(({ id }) => id)
      for (const backward of [false, true]) {
        const found = await collectPages((place) => pageOf({ order: [sorting], ...place }), backward)
        assert.deepEqual(found, expected, `${JSON.stringify(sorting)} ${backward ? 'backward' : 'forward'}`)
      }
    }
  })

  it('is in the schema, with its descriptions', async () => {
    const query = '{ __type(name: "Offer") { description fields { name } } }'
    const { __type: type } = await ask(query)
    assert.equal(type.description, 'Something for less.')
    assert.deepEqual(
      type.fields.map(({ name }: { name: string }) => name),
      [...fields.split(' '), 'product'],
    )
  })

  it('may not have a field that is there already', async () => {
    const twice = {
      name: 'twice',
      graphql: { queries: { products: { kind: 'list', entity: offerEntity, description: '' } } },
    } as const
    await assert.rejects(
      openOperator(service.config, { features: [offerFeature, twice] }),
      /Two features declare the field products/,
    )
  })
})

/** Of 40: the last page is not full. */
const perPage = 15

interface Page {
  nodes: { id: string }[]
  totalCount: number
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string }
}

/** @returns the ids in the order of the connection, whichever way they were read */
async function collectPages(pageOf: (place: object) => Promise<Page>, backward: boolean): Promise<string[]> {
  const pages: string[][] = []
  let place: object = backward ? { last: perPage } : { first: perPage }
  for (let more = true; more; ) {
    const { nodes, totalCount, pageInfo } = await pageOf(place)
    assert.equal(totalCount, 40)
    pages.push(nodes.map(({ id }) => id))
    more = backward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage
    place = backward
      ? { last: perPage, before: pageInfo.startCursor }
      : { first: perPage, after: pageInfo.endCursor }
  }
  return (backward ? pages.reverse() : pages).flat()
}
