/** The client libraries that most applications use, with their defaults. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client/core'
import { Client, cacheExchange, fetchExchange } from '@urql/core'
import { sharedService, type TestService, type TestTenant } from '../../../support/service.ts'

let service: TestService
let tenant: TestTenant
before(async () => {
  service = await sharedService('sqlite')
  tenant = await service.newTenant()
})
after(() => service.stop())

const create = gql`
  mutation Create($input: CreateProductInput!) {
    createProduct(input: $input) { id name price category { name } }
  }
`
const find = gql`
  query Find($name: String!) {
    products(where: { name: { eq: $name } }) { id name price }
  }
`
const one = gql`
  query One($id: UUID!) {
    product(id: $id) { id name }
  }
`
const failing = gql`
  query Failing($after: String) {
    orders(first: 1, after: $after) { nodes { id } }
  }
`

interface Created {
  createProduct: { id: string; name: string; price: number; category: null }
}
interface Found {
  products: { id: string; name: string; price: number }[]
}

/** Writes down how each request was sent. */
function recordingFetch(): { methods: string[]; fetch: typeof fetch } {
  const methods: string[] = []
  return {
    methods,
    fetch: (address, init) => {
      methods.push(init?.method ?? 'GET')
      return fetch(address, init)
    },
  }
}

describe('Apollo Client', () => {
  const clientOf = (options: { useGETForQueries?: boolean } = {}) => {
    const { methods, fetch } = recordingFetch()
    const link = new HttpLink({
      uri: `${service.url}/graphql`,
      headers: tenant.user.headers,
      fetch,
      ...options,
    })
    return { methods, client: new ApolloClient({ link, cache: new InMemoryCache() }) }
  }

  it('runs a mutation with variables, and a query that finds what came of it', async () => {
    const { client, methods } = clientOf()
    const input = { name: 'By Apollo', price: 12.5 }
    const { data } = await client.mutate<Created>({ mutation: create, variables: { input } })
    assert.partialDeepStrictEqual(data?.createProduct, { ...input, category: null })
    const found = await client.query<Found>({ query: find, variables: { name: input.name } })
    assert.partialDeepStrictEqual(found.data?.products, [{ ...input, id: data?.createProduct.id }])
    assert.deepEqual(methods, ['POST', 'POST'])
  })

  it('sends queries by GET and mutations by POST', async () => {
    const { client, methods } = clientOf({ useGETForQueries: true })
    const input = { name: 'By GET from Apollo', price: 1 }
    await client.mutate<Created>({ mutation: create, variables: { input } })
    const { data } = await client.query<Found>({ query: find, variables: { name: input.name } })
    assert.equal(data?.products.length, 1)
    assert.deepEqual(methods, ['POST', 'GET'])
  })

  it('keeps objects by type and id, and asks once for what it has', async () => {
    const { client, methods } = clientOf()
    const input = { name: 'In the cache', price: 1 }
    const { data } = await client.mutate<Created>({ mutation: create, variables: { input } })
    const id = data?.createProduct.id
    for (let time = 0; time < 2; time++) await client.query({ query: one, variables: { id } })
    assert.equal(methods.length, 2)
    assert.ok(Object.hasOwn(client.cache.extract() as object, `Product:${id}`))
  })

  it('gets errors with their codes', async () => {
    const { client } = clientOf()
    await assert.rejects(client.query({ query: failing, variables: { after: 'nonsense' } }), (error) => {
      assert.ok(CombinedGraphQLErrors.is(error))
      assert.deepEqual(
        error.errors.map(({ extensions }) => extensions?.['code']),
        ['HC0078'],
      )
      return true
    })
  })
})

describe('urql', () => {
  const clientOf = (preferGetMethod: boolean | 'force') => {
    const { methods, fetch } = recordingFetch()
    const client = new Client({
      url: `${service.url}/graphql`,
      exchanges: [cacheExchange, fetchExchange],
      fetchOptions: { headers: tenant.user.headers },
      preferGetMethod,
      fetch,
    })
    return { client, methods }
  }

  for (const method of ['POST', 'GET'] as const) {
    it(`runs a mutation with variables, and queries by ${method}`, async () => {
      const { client, methods } = clientOf(method === 'GET' ? 'force' : false)
      const input = { name: `urql by ${method}`, price: 3.25 }
      const made = await client.mutation<Created>(create, { input })
      assert.equal(made.error, undefined)
      const found = await client.query<Found>(find, { name: input.name })
      assert.equal(found.error, undefined)
      assert.partialDeepStrictEqual(found.data?.products, [{ ...input, id: made.data?.createProduct.id }])
      assert.deepEqual(methods, ['POST', method])
    })

    it(`gets errors with their codes by ${method}`, async () => {
      const { client } = clientOf(method === 'GET' ? 'force' : false)
      const { data, error } = await client.query(failing, { after: 'nonsense' })
      assert.equal(data, null)
      assert.deepEqual(
        error?.graphQLErrors.map(({ extensions }) => extensions['code']),
        ['HC0078'],
      )
      assert.deepEqual(error?.graphQLErrors[0]?.path, ['orders'])
    })
  }
})
