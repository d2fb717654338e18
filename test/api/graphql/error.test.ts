/** Each fault has its code, and errors show no internals. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Type } from 'typebox'
import { defaultLimits } from '../../../src/api/graphql/document/limits.ts'
import type { Feature } from '../../../src/core/feature/feature.ts'
import type { Answer } from '../../support/client.ts'
import { inspect } from '../../support/database/inspect.ts'
import { assertError } from '../../support/error.ts'
import { recorderOf } from '../../support/graphql/statement-recorder.ts'
import { sharedService, startService, type TestService, type TestTenant } from '../../support/service.ts'
import { errorCodes } from './error-codes.ts'

const secret = 'the password is swordfish'

const Fragile = Type.Object({ name: Type.String() }, { $id: 'Fragile' })

/** Fields that fail, and one for administrators. */
const fragileFeature: Feature = {
  name: 'fragile',
  permissions: { 'fragile:read': { description: 'See the fragile', role: 'Admin' } },
  graphql: {
    queries: {
      fragile: {
        kind: 'object',
        type: Fragile,
        description: 'Fails.',
        read: () => Promise.reject(new Error(secret)),
      },
      guarded: {
        kind: 'object',
        type: Fragile,
        access: 'fragile:read',
        description: 'For administrators.',
        read: async () => ({ name: 'guarded' }),
      },
    },
  },
}

const id = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'

/** Requests of a user that are refused as a whole. */
const refused: [string, string, object?][] = [
  ['HC0014', '{'],
  ['HC0014', 'products { id }'],
  ['HC0014', '{ products(where: { name: { eq: "a } }) { id } }'],
  ['GRAPHQL_VALIDATION_FAILED', '{ products { nothing } }'],
  ['GRAPHQL_VALIDATION_FAILED', '{ products }'],
  ['GRAPHQL_VALIDATION_FAILED', '{ products { id: name id } }'],
  ['GRAPHQL_VALIDATION_FAILED', 'query ($a: Int) { products { id } }'],
  ['HC0016', '{ product(id: "none") { id } }'],
  ['HC0016', '{ product(id: 5) { id } }'],
  ['HC0016', '{ products(where: { price: { gt: "5" } }) { id } }'],
  ['HC0016', '{ products(where: { createdAt: { gt: "yesterday" } }) { id } }'],
  ['HC0016', '{ product(id: null) { id } }'],
  ['HC0016', 'query ($id: UUID!) { product(id: $id) { id } }', { id: 'none' }],
  ['HC0016', 'query ($n: Int) { orders(first: $n) { nodes { id } } }', { n: 1.5 }],
  ['HC0018', '{ product { id } }'],
  ['HC0018', 'mutation { createProduct { id } }'],
  ['HC0018', 'query ($id: UUID!) { product(id: $id) { id } }'],
  ['HC0018', 'query ($id: UUID!) { product(id: $id) { id } }', { id: null }],
  ['HC0047', `{ ${Array.from({ length: 20 }, (_each, i) => `a${i}: products { id }`).join(' ')} }`],
  ['OPERATION_RESOLUTION_FAILURE', 'query a { __typename } query b { __typename }'],
]

/** Fields that fail while others may go on. */
const failed: [string, string, object?][] = [
  ['HC0016', '{ products(where: { name: { eq: "\\u0000" } }) { id } }'],
  ['HC0018', '{ products(where: { name: null }) { id } }'],
  ['HC0018', '{ products(where: { price: { gt: null } }) { id } }'],
  ['HC0018', '{ products(where: { id: { in: null } }) { id } }'],
  ['HC0018', '{ orders(where: { items: { some: null } }) { totalCount } }'],
  ['HC0051', '{ orders(first: 51) { nodes { id } } }'],
  ['HC0051', '{ orders(last: -1) { nodes { id } } }'],
  ['HC0051', '{ orders(first: 1, last: 1) { nodes { id } } }'],
  ['HC0078', '{ orders(after: "nonsense") { nodes { id } } }'],
  ['HC0078', '{ orders(before: "") { nodes { id } } }'],
  ['BAD_USER_INPUT', 'mutation { createProduct(input: { name: "", price: -1 }) { id } }'],
  ['NOT_FOUND', `mutation { deleteProduct(id: "${id}") { id } }`],
  ['NOT_FOUND', `mutation { payOrder(id: "${id}") { id } }`],
  ['AUTH_NOT_AUTHORIZED', '{ guarded { name } }'],
  ['INTERNAL', '{ fragile { name } }'],
]

describe('An error of GraphQL', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService('sqlite', {}, { features: [fragileFeature] })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const ask = (query: string, variables: object = {}, headers: Record<string, string> = {}) =>
    tenant.user.post('/graphql', { query, variables }, headers)

  for (const [code, query, variables] of refused) {
    it(`is ${code} for ${query.slice(0, 60)} with ${JSON.stringify(variables ?? {})}`, async () => {
      for (const [accept, status] of [
        ['application/json', 200],
        ['application/graphql-response+json', 400],
        ['application/json;q=0.5, application/graphql-response+json', 400],
        ['application/graphql-response+json;q=0, */*', 200],
      ] as const) {
        const answer = await ask(query, variables, { accept })
        assert.equal(answer.status, status)
        assert.equal(errorCodes(answer)[0], code, answer.text)
        assert.ok(!('data' in answer.body), 'nothing was begun')
      }
    })
  }

  for (const [code, query, variables] of failed) {
    it(`is ${code} of one field for ${query}`, async () => {
      const answer = await ask(query, variables, { accept: 'application/graphql-response+json' })
      assert.equal(answer.status, 200)
      assert.equal(answer.body.data, null)
      assert.deepEqual(errorCodes(answer), [code], answer.text)
      const { path, locations } = answer.body.errors[0]
      assert.deepEqual(path, [/\w+/.exec(query.replace(/^mutation/, ''))?.[0]])
      assert.equal(locations.length, 1)
    })
  }

  it('names the members that are at fault', async () => {
    const { body } = await ask('mutation { createProduct(input: { name: "", price: -1 }) { id } }')
    const { faults } = body.errors[0].extensions
    assert.deepEqual(
      faults.map(({ pointer }: { pointer: string }) => pointer),
      ['/name', '/price'],
    )
  })

  it('shows nothing of a fault inside, but where to look', async () => {
    const answer = await ask('{ fragile { name } }')
    assert.ok(!answer.text.includes('swordfish'))
    assert.equal(
      answer.body.errors[0].message,
      `Something went wrong on our side. The request id is ${answer.headers.get('x-request-id')}.`,
    )
  })

  it('is HC0078 for a cursor of another order', async () => {
    const { body } = await ask('{ orders(order: { total: ASC }) { pageInfo { endCursor } } }')
    assert.equal(body.data.orders.pageInfo.endCursor, null)
    const made = await tenant.user.post('/api/products', { name: 'Desk', price: 1 })
    await tenant.user.post('/api/orders', {
      customerId: 'a',
      items: [{ productId: made.body.id, quantity: 1 }],
    })
    const { body: page } = await ask('{ orders(order: { total: ASC }) { pageInfo { endCursor } } }')
    const query = 'query ($after: String) { orders(after: $after) { nodes { id } } }'
    assert.deepEqual(errorCodes(await ask(query, { after: page.data.orders.pageInfo.endCursor })), ['HC0078'])
  })

  it('is HC0051 for a list of more rows than can be shown', async () => {
    const many = await service.newTenant()
    await inspect(
      service.config.databaseUrl,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)
      INSERT INTO product (tenant_id, id, name, search_name, price, is_active, created_at, updated_at, version)
      SELECT '${many.id}', format('%08x-0000-7000-8000-000000000000', i), 'a', 'a', 1, 1,
        '2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.000Z', 1 FROM n`,
    )
    assert.deepEqual(errorCodes(await many.user.post('/graphql', { query: '{ products { id } }' })), [
      'HC0051',
    ])
    const query = `{ products(where: { id: { neq: "00000001-0000-7000-8000-000000000000" } }) { id } }`
    assert.equal((await many.user.post('/graphql', { query })).body.data.products.length, 10_000)
  })

  it('is AUTH_NOT_AUTHENTICATED for whoever is not signed in, field by field', async () => {
    const query = `{ products { id } product(id: "${id}") { id } }`
    const answer = await service.anonymous.post('/graphql', { query })
    assert.deepEqual(answer.body.data, { products: [], product: null })
    assert.deepEqual(errorCodes(answer), ['AUTH_NOT_AUTHENTICATED'])
    assert.deepEqual(answer.body.errors[0].path, ['product'])
    for (const closed of [
      '{ me { id } }',
      '{ orders { totalCount } }',
      `mutation { payOrder(id: "${id}") { id } }`,
    ]) {
      assert.deepEqual(errorCodes(await service.anonymous.post('/graphql', { query: closed })), [
        'AUTH_NOT_AUTHENTICATED',
      ])
    }
  })

  it('of one field leaves the others that may be null', async () => {
    const { body } = await ask(`{ a: product(id: "${id}") { id } fragile { name } }`)
    assert.equal(body.data, null)
    const { body: half } = await service.anonymous.post('/graphql', {
      query: `{ __typename order(id: "${id}") { id } }`,
    })
    assert.deepEqual(half.data, { __typename: 'Query', order: null })
  })

  it('is HC0045 when the time is over before a field is begun', async () => {
    const { statementsOf } = await recorderOf(service, tenant, { ...defaultLimits, timeoutMs: -1 })
    await assert.rejects(statementsOf('{ products { id } }'), /HC0045/)
  })

  it('lets administrators in', async () => {
    const { body } = await tenant.admin.post('/graphql', { query: '{ guarded { name __typename } }' })
    assert.deepEqual(body, { data: { guarded: { name: 'guarded', __typename: 'Fragile' } } })
  })
})

describe('What is refused before it is GraphQL', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService('sqlite')
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const query = '{ __typename }'
  const requests: [string, number, RegExp, () => Promise<Answer>][] = [
    ['a bad token', 401, /token/, () => service.anonymous.withToken('bad').post('/graphql', { query })],
    [
      'another tenant',
      403,
      /tenant/,
      () => tenant.user.post('/graphql', { query }, { 'x-tenant-id': 'default' }),
    ],
    [
      'a tenant that there is not',
      404,
      /tenant/,
      () => service.anonymous.post('/graphql', { query }, { 'x-tenant-id': 'nothing' }),
    ],
    ['JSON that is none', 400, /JSON/, () => tenant.user.post('/graphql', '{"query":')],
    ['an empty body', 400, /missing/, () => tenant.user.post('/graphql', '')],
    ['a list of requests', 400, /body/, () => tenant.user.post('/graphql', [{ query }])],
    [
      'a media type that is not JSON',
      415,
      /json/,
      () => tenant.user.post('/graphql', query, { 'content-type': 'application/graphql' }),
    ],
    ['no query', 400, /^query: is required$/, () => tenant.user.post('/graphql', {})],
    ['no query by GET', 400, /^query: is required$/, () => tenant.user.get('/graphql')],
    ['a query that is no text', 400, /^query: /, () => tenant.user.post('/graphql', { query: 1 })],
    [
      'variables that are a list',
      400,
      /^variables: /,
      () => tenant.user.post('/graphql', { query, variables: [] }),
    ],
    [
      'variables that are no JSON',
      400,
      /^variables: must be a JSON object$/,
      () => tenant.user.get('/graphql?query={__typename}&variables={'),
    ],
    [
      'types that we do not send',
      406,
      /application\/json/,
      () => tenant.user.post('/graphql', { query }, { accept: 'text/html' }),
    ],
    [
      'only types that it takes none of',
      406,
      /application\/json/,
      () => tenant.user.post('/graphql', { query }, { accept: 'application/json;q=0, text/html' }),
    ],
    [
      'another charset',
      406,
      /application\/json/,
      () => tenant.user.post('/graphql', { query }, { accept: 'application/json; charset=latin1' }),
    ],
    [
      'a mutation by GET',
      405,
      /POST/,
      () => tenant.user.get(`/graphql?query=mutation{payOrder(id:"${id}"){id}}`),
    ],
  ]
  for (const [what, status, message, send] of requests) {
    it(`is answered ${status} with a message: ${what}`, async () => {
      const answer = await send()
      assertError(answer, status, message)
      if (status === 405) assert.equal(answer.headers.get('allow'), 'POST')
    })
  }
})
