import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { newsFeature } from '../../support/graphql/public-subscription.ts'
import { RawSocket } from '../../support/graphql/raw-socket.ts'
import { startService } from '../../support/service.ts'

onEitherDatabase('The figures of the gateway', (database) => {
  it('count operations by kind and outcome, and who follows something', async () => {
    const service = await startService(database, {}, { features: [newsFeature] })
    const { anonymous, host, url } = service
    const figure = async (name: string): Promise<number | null> => {
      const { text } = await anonymous.get('/metrics')
      const line = text.split('\n').find((each) => each.startsWith(`${name} `))
      return line === undefined ? null : Number(line.slice(name.length))
    }
    await anonymous.post('/graphql', { query: '{ products { id } }' })
    await anonymous.post('/graphql', { query: '{ me { id } }' })
    await anonymous.post('/graphql', { query: '{ nothing }' })
    await host.post('/graphql', { query: 'mutation { createProduct(input: {name: "a", price: 1}) { id } }' })
    assert.equal(await figure('graphql_operations_total{kind="query",outcome="success"}'), 1)
    assert.equal(await figure('graphql_operations_total{kind="query",outcome="error"}'), 1)
    assert.equal(await figure('graphql_operations_total{kind="none",outcome="refused"}'), 1)
    assert.equal(await figure('graphql_operations_total{kind="mutation",outcome="success"}'), 1)
    const wrong = { query: 'query ($id: UUID!) { product(id: $id) { id } }', variables: { id: 'x' } }
    await anonymous.post('/graphql', wrong)
    const refused = 'graphql_operations_total{kind="query",outcome="refused"}'
    assert.equal(await figure(refused), 1)
    const socket = await RawSocket.enter(url, {})
    await socket.run(wrong.query, { variables: wrong.variables })
    await socket[Symbol.asyncDispose]()
    assert.equal(await figure(refused), 2)
    assert.equal(await figure('graphql_subscribers'), 0)
    const query = new URLSearchParams({ query: 'subscription { onOrderCreated { id } }' })
    const headers = { ...host.headers, accept: 'text/event-stream' }
    const leaving = new AbortController()
    await fetch(`${url}/graphql?${query}`, { headers, signal: leaving.signal })
    assert.equal(await figure('graphql_subscribers'), 1)
    leaving.abort()
    while ((await figure('graphql_subscribers')) !== 0)
      await new Promise((resolve) => setTimeout(resolve, 10))
    await service.stop()
  })
})
