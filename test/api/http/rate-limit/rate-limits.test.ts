/** RATE_LIMITS: default policies, for reading and for writing, and those of routes and GraphQL fields. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import { ConfigError } from '../../../../src/core/settings/config.ts'
import { createService } from '../../../../src/service/service.ts'
import type { Answer, Client } from '../../../support/client.ts'
import { assertError } from '../../../support/error.ts'
import { startService, type TestService, uniqueName, usualOptions } from '../../../support/service.ts'

const hour = 3600
let clients = 0

describe('RATE_LIMITS', () => {
  let service: TestService
  before(async () => {
    const policies = [
      `default=1000/${hour}`,
      `read=6/${hour}`,
      `POST /api/categories=2/${hour}`,
      `GET /api/products/{id}=1/${hour}`,
      `GET /health=1/${hour}`,
      `mutation createProduct=2/${hour}`,
      `query me=1/${hour}`,
    ]
    service = await startService('sqlite', { RATE_LIMITS: policies.join(', ') })
  })
  after(() => service.stop())

  /** The administrator at an address of its own. */
  const at = (): Client => service.host.with({ 'x-forwarded-for': `10.9.0.${++clients}` })
  const category = (client: Client) => client.post('/api/categories', { name: uniqueName('category') })
  const ask = (client: Client, query: string) => client.post('/graphql', { query })

  it('counts a route that is named by its own policy, and refuses with 429', async () => {
    const client = at()
    const answers = [await category(client), await category(client), await category(client)]
    assert.deepEqual(answers.map(state), [
      [201, 'POST /api/categories', 1],
      [201, 'POST /api/categories', 0],
      [429, 'POST /api/categories', 0],
    ])
    const [, , refused] = answers
    assert.deepEqual(refused?.body, { message: 'Too many requests. Try again later.' })
    assert.equal(refused?.headers.get('ratelimit-policy'), `"POST /api/categories";q=2;w=${hour}`)
    assert.ok(Number(refused?.headers.get('retry-after')) > hour - 60)
    assert.equal((await category(at())).status, 201)
  })

  it('counts reading together, wherever it has no policy of its own, and what has one apart', async () => {
    const client = at()
    const paths = ['/api/products?limit=1', '/api/categories', '/api/auth/me', '/api/tenants']
    for (const [index, path] of paths.entries())
      assert.deepEqual(state(await client.get(path)), [200, 'read', 5 - index])
    const { body } = await client.post('/api/products', { name: 'Desk', price: 1 })
    assert.deepEqual(state(await client.get(`/api/products/${body.id}`)), [200, 'GET /api/products/:id', 0])
    assert.equal((await client.get('/api/products/0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11')).status, 429)
    assert.deepEqual(state(await client.send('HEAD', '/api/products')), [200, 'read', 1])
    assert.deepEqual(state(await client.get('/api/orders')), [200, 'read', 0])
    assert.deepEqual(state(await client.get('/api/orders')), [429, 'read', 0])
    assert.equal((await category(client)).status, 201)
  })

  it('counts by the default where nothing else is said, before the token is looked at', async () => {
    const client = at()
    assert.deepEqual(state(await client.post('/api/events', { type: 'a.b', data: {} })), [
      202,
      'default',
      999,
    ])
    const stranger = client.withToken('nonsense')
    assert.deepEqual(state(await stranger.post('/api/events', {})), [401, 'default', 998])
  })

  it('leaves signing in to its own policy, and health alone unless it is named', async () => {
    const client = at()
    assert.deepEqual(state(await client.post('/api/auth/login', {})), [400, 'strict', 4])
    for (let count = 0; count < 10; count++) {
      const { status, headers } = await client.get('/health/live')
      assert.deepEqual([status, headers.get('ratelimit')], [200, null])
    }
    assert.deepEqual(state(await client.get('/health')), [200, 'GET /health', 0])
    assert.equal((await client.get('/health')).status, 429)
  })

  it('counts operations of GraphQL by what they do, together with REST', async () => {
    const client = at()
    await client.get('/api/categories')
    assert.deepEqual(state(await ask(client, '{ products { id } }')), [200, 'read', 4])
    assert.deepEqual(state(await ask(client, '{ products { id } categories { id } }')), [200, 'read', 3])
    const removal = 'mutation { deleteProduct(id: "0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11") { id } }'
    assert.deepEqual(state(await ask(client, removal)), [200, 'default', 999])
    for (let count = 0; count < 3; count++) await client.get('/api/categories')
    const refused = await ask(client, '{ products { id } }')
    assertError(refused, 429, 'Too many requests. Try again later.')
    assert.equal(state(refused)[1], 'read')
  })

  it('counts each field of GraphQL that is named, whatever it is called in the document', async () => {
    const client = at()
    const made = '{ id }'
    const create = (name: string) => `createProduct(input: {name: "${name}", price: 1}) ${made}`
    const both = await ask(client, `mutation { a: ${create('A')} b: ${create('B')} }`)
    assert.deepEqual(state(both), [200, 'mutation createProduct', 0])
    const listed = async () => (await service.host.get('/api/products')).body.length
    const number = await listed()
    assertError(await ask(client, `mutation { ${create('C')} }`), 429)
    assert.equal(await listed(), number)
    assert.deepEqual(state(await ask(client, '{ me { id } products { id } }')), [200, 'read', 5])
    assertError(await ask(client, '{ me { id } }'), 429)
    assert.deepEqual(state(await ask(client, '{ products { id } }')), [200, 'read', 4])
  })

  it('counts operations over a WebSocket by the address of its client', async () => {
    const client = at()
    await using socket = connect(service, client.headers)
    for (let count = 0; count < 6; count++) assert.deepEqual(await socket.ask('{ __typename }'), [])
    assert.deepEqual(await socket.ask('{ __typename }'), ['Too many requests. Try again later.'])
    assert.deepEqual(await socket.ask('subscription { onOrderCreated { id } }'), [
      'Too many requests. Try again later.',
    ])
    assert.equal((await client.get('/api/orders')).status, 429)
  })

  it('is described where it holds', async () => {
    const { body } = await service.anonymous.get('/swagger/v1/swagger.json')
    assert.ok('429' in body.paths['/api/categories'].get.responses)
    assert.ok('429' in body.paths['/graphql'].get.responses)
    assert.ok(!('429' in body.paths['/health/live'].get.responses))
  })

  it('that names what is not there, or what has its policy already, stops the start with every fault', async () => {
    const policies = 'POST /api/ordrs=1/1,mutation createOrdr=1/1,POST /api/auth/login=1/1,query x=1/1'
    await assert.rejects(startService('sqlite', { RATE_LIMITS: policies }), (error: unknown) => {
      assert.ok(error instanceof ConfigError)
      assert.deepEqual(error.faults, [
        'RATE_LIMITS: there is no POST /api/ordrs; did you mean /api/orders?',
        'RATE_LIMITS: there is no mutation createOrdr; did you mean createOrder?',
        'RATE_LIMITS: POST /api/auth/login already has the policy strict',
        'RATE_LIMITS: there is no query x',
      ])
      return true
    })
  })
})

describe('RATE_LIMITS on PostgreSQL', () => {
  it('counts for all instances together', async () => {
    const service = await startService('postgres', { RATE_LIMITS: `write=3/${hour}` })
    const other = await createService({ ...service.config, port: 0 }, usualOptions)
    const { authorization = '' } = service.host.headers
    const payload = { type: 'thing.happened', data: {} }
    const statuses: number[] = []
    for (const app of [service.service.app, other.app, other.app, service.service.app]) {
      const headers = { authorization, 'x-forwarded-for': '10.8.0.1' }
      statuses.push((await app.inject({ method: 'POST', url: '/api/events', headers, payload })).statusCode)
    }
    await other.stop()
    await service.stop()
    assert.deepEqual(statuses, [202, 202, 202, 429])
  })
})

function state({ status, headers }: Answer): [status: number, policy: string, remaining: number] {
  const [, policy = '', remaining = ''] = /^"(.*)";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '') ?? []
  return [status, policy, Number(remaining)]
}

/** @returns what asks over one socket, and gets the messages of errors */
function connect({ url }: TestService, headers: Readonly<Record<string, string>>) {
  class Socket extends WebSocket {
    constructor(address: string, protocols: string | string[]) {
      super(address, protocols, { headers })
    }
  }
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: Socket,
    lazy: true,
  })
  const ask = async (query: string): Promise<string[]> => {
    for await (const { errors = [] } of client.iterate({ query })) return errors.map(({ message }) => message)
    return []
  }
  return { ask, [Symbol.asyncDispose]: async () => void (await client.dispose()) }
}
