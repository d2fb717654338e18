/** Introspection is allowed, except in production unless a setting allows it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { getIntrospectionQuery } from 'graphql'
import { Client } from '../../../support/client.ts'
import { sharedService, startService } from '../../../support/service.ts'
import { errorCodes } from '../error-codes.ts'

/** Each is close to something that the schema has. */
const mistakes: Record<string, { query: string; variables?: object }> = {
  'a field': { query: '{ product { nam } }' },
  'a field of the root': { query: '{ product5 { id } }' },
  'an argument': { query: '{ products(wher: {}) { id } }' },
  'a member': { query: '{ products(where: { nam: { eq: "a" } }) { id } }' },
  'an operator': { query: '{ products(where: { name: { startWith: "a" } }) { id } }' },
  'an enum value': { query: '{ orders(where: { status: { eq: PENDIN } }) { nodes { id } } }' },
  'a text for an enum value': { query: '{ orders(where: { status: { eq: "PENDING" } }) { nodes { id } } }' },
  'a type': { query: 'query ($a: ProductFilterInpu) { products(where: $a) { id } }' },
  'a fragment type': { query: '{ ...f } fragment f on Quer { __typename }' },
  'a directive argument': { query: '{ __typename @skip(i: true) }' },
  'a member in a variable': {
    query: 'query ($w: ProductFilterInput) { products(where: $w) { id } }',
    variables: { w: { nam: { eq: 'a' } } },
  },
  'an enum value in a variable': {
    query: 'query ($s: OrderStatus) { orders(where: { status: { eq: $s } }) { nodes { id } } }',
    variables: { s: 'PENDIN' },
  },
}

const ways: [string, Record<string, string> | null, boolean][] = [
  ['usually', null, true],
  ['in production', { NODE_ENV: 'production' }, false],
  ['where the setting says no', { GRAPHQL_INTROSPECTION: 'false' }, false],
  [
    'in production where the setting says yes',
    { NODE_ENV: 'production', GRAPHQL_INTROSPECTION: 'true' },
    true,
  ],
]

for (const [when, settings, isOn] of ways) {
  describe(`Introspection ${when}`, () => {
    it(isOn ? 'gives the schema' : 'is refused, and no message helps to guess', async () => {
      const service = await (settings === null ? sharedService('sqlite') : startService('sqlite', settings))
      try {
        const client = new Client(service.url, service.host.headers)
        await (isOn ? assertOpen(client) : assertClosed(client))
      } finally {
        await service.stop()
      }
    })
  })
}

async function assertOpen(client: Client): Promise<void> {
  const { body } = await client.post('/graphql', { query: getIntrospectionQuery() })
  assert.equal(body.data.__schema.queryType.name, 'Query')
  const { body: type } = await client.post('/graphql', {
    query: '{ __type(name: "Product") { name } none: __type(name: "No") { name } }',
  })
  assert.deepEqual(type, { data: { __type: { name: 'Product' }, none: null } })
  for (const [what, request] of Object.entries(mistakes)) {
    const { text } = await client.post('/graphql', request)
    if (what !== 'a directive argument') assert.match(text, /Did you mean/, what)
  }
}

async function assertClosed(client: Client): Promise<void> {
  for (const query of [
    getIntrospectionQuery(),
    '{ __schema { queryType { name } } }',
    '{ __type(name: "Product") { name } }',
    '{ a: __type(name: "Product") { name } products { id } }',
    '{ ...f } fragment f on Query { ... { __schema { queryType { name } } } }',
    'query ($no: Boolean = false) { __schema @include(if: $no) { queryType { name } } }',
    'mutation { __typename __schema { queryType { name } } }',
  ]) {
    const { body } = await client.post('/graphql', { query })
    assert.equal(body.data, undefined, query)
    assert.ok(errorCodes({ body }).length > 0)
    assert.equal(
      errorCodes({ body })[0],
      query.startsWith('mutation') ? 'GRAPHQL_VALIDATION_FAILED' : 'HC0046',
      query,
    )
  }
  const { body } = await client.post('/graphql', { query: '{ __typename products { __typename } }' })
  assert.deepEqual(body, { data: { __typename: 'Query', products: [] } })
  for (const [what, request] of Object.entries(mistakes)) {
    const { body: refused, text } = await client.post('/graphql', request)
    assert.ok(refused.errors.length > 0, what)
    assert.doesNotMatch(text, /did you mean/i, what)
  }
}
