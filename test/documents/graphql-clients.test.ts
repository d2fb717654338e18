/** Every operation of README.md and docs/graphql.md, by the clients that most applications use. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client/core'
import { cacheExchange, fetchExchange, Client as UrqlClient } from '@urql/core'
import { getOperationAST, parse } from 'graphql'
import type { Client } from '../support/client.ts'
import { sharedService, type TestService } from '../support/service.ts'
import { operationsOfGateway, operationsOfReadme, type ShownOperation } from './shown-operations.ts'
import { makeProductsOfGateway, makeProductsOfReadme } from './shown-products.ts'

/** @returns the data @throws for an answer with errors */
type RunOperation = (operation: ShownOperation) => Promise<unknown>

/** Each as it comes, for one caller. */
const clients: Record<string, (caller: Client) => RunOperation> = { 'Apollo Client': apollo, urql }

const pages = {
  'README.md': { operations: operationsOfReadme(), fill: makeProductsOfReadme },
  'docs/graphql.md': { operations: operationsOfGateway(), fill: makeProductsOfGateway },
}

for (const [name, runnerFor] of Object.entries(clients)) {
  describe(name, () => {
    let service: TestService
    before(async () => {
      service = await sharedService('sqlite')
    })
    after(() => service.stop())

    for (const [page, { operations, fill }] of Object.entries(pages)) {
      it(`gets what ${page} shows for each of its operations`, async () => {
        assert.ok(operations.length > 0)
        const { admin } = await service.newTenant()
        await fill(admin)
        const run = runnerFor(admin)
        for (const operation of operations) {
          const data = await run(operation).catch((error: unknown) => {
            throw new Error(`${operation.place}: ${operation.query}`, { cause: error })
          })
          assert.deepEqual(withoutTypes(data), operation.data, operation.place)
        }
      })
    }
  })
}

function apollo({ baseUrl, headers }: Client): RunOperation {
  const link = new HttpLink({ uri: `${baseUrl}/graphql`, headers })
  const client = new ApolloClient({ link, cache: new InMemoryCache() })
  return async ({ query, variables }) => {
    const document = parse(query)
    const { data } = isMutation(query)
      ? await client.mutate({ mutation: document, variables })
      : await client.query({ query: document, variables })
    return data
  }
}

function urql({ baseUrl, headers }: Client): RunOperation {
  const client = new UrqlClient({
    url: `${baseUrl}/graphql`,
    exchanges: [cacheExchange, fetchExchange],
    fetchOptions: { headers },
    preferGetMethod: false,
  })
  return async ({ query, variables }) => {
    const { data, error } = isMutation(query)
      ? await client.mutation(query, variables)
      : await client.query(query, variables)
    if (error !== undefined) throw error
    return data
  }
}

function isMutation(query: string): boolean {
  const operation = getOperationAST(parse(query))?.operation
  assert.ok(operation === 'query' || operation === 'mutation', query)
  return operation === 'mutation'
}

/** Both clients ask for the type of every object. */
function withoutTypes(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data, (key, value) => (key === '__typename' ? undefined : value)))
}
