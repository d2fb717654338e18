import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { lint, loadConfig } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Compile } from 'typebox/compile'
import { mountedRoutes } from '../../support/http/mounted-routes.ts'
import {
  copyPath,
  type OpenApi,
  type Operation,
  operationsOf,
  readCopy,
  readOpenApi,
  requiredParameters,
  toCopy,
} from '../../support/http/openapi-document.ts'
import { startService, type TestService } from '../../support/service.ts'
import { descriptionsOf } from './descriptions.ts'
import { inlined } from './inlined.ts'

let service: TestService
let document: OpenApi
before(async () => {
  service = await startService('sqlite')
  document = await readOpenApi(service.anonymous)
})
after(() => service.stop())

describe('The OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    assert.deepEqual(await new Validator().validate(document), { valid: true })
    const broken = { ...document, paths: { '/a': { get: { responses: 'none' } } } }
    assert.equal((await new Validator().validate(broken)).valid, false)
  })

  it('has nothing that an independent linter objects to', async () => {
    const config = await loadConfig({ configPath: join(import.meta.dirname, '../../../redocly.yaml') })
    const problems = (await lint({ ref: copyPath, config })).filter(({ ignored }) => ignored !== true)
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
      [],
    )
  })

  it('is committed as it is served', () => {
    assert.equal(toCopy(document), readCopy(), 'run: npm run documents')
  })

  it('tells of every route that is mounted, and of no other', () => {
    const undocumented =
      /^\w+ \/($|(console|swagger|api-docs|metrics|graphql\/ui|account|\.well-known\/change-password)\b|api\/auth\/sso\/(:tenant\/start|callback|signed-out)$)/
    const mounted = mountedRoutes(service.service.app).filter((known) => !undocumented.test(known))
    const told = [...operationsOf(document).keys()].map((known) => known.replaceAll(/{(\w+)}/g, ':$1'))
    const mend = 'routes of features are described by themselves: add these to `routes` of a feature'
    assert.deepEqual(told.toSorted(), mounted.toSorted(), mend)
  })

  it('begins its tags with what a reader needs first, and names each once', () => {
    const tags = document.tags.map(({ name }) => name)
    assert.equal(tags[0], 'Authentication')
    assert.equal(new Set(tags).size, tags.length)
    const used = [...operationsOf(document).values()].flatMap((operation) => operation.tags)
    assert.deepEqual(new Set(tags), new Set(used))
  })

  it('gives every operation a name of its own', () => {
    const names = [...operationsOf(document).values()].map(({ operationId }) => operationId)
    assert.equal(new Set(names).size, names.length)
    assert.deepEqual(
      names.filter((name) => !/^[a-z][A-Za-z0-9]+$/.test(name)),
      [],
    )
  })

  it('names the products’ operations as their users would', () => {
    const products = [...operationsOf(document)].filter(([place]) => place.includes('/api/products'))
    assert.deepEqual(Object.fromEntries(products.map(([place, { operationId }]) => [place, operationId])), {
      'GET /api/products': 'listProducts',
      'POST /api/products': 'createProduct',
      'POST /api/products/bulk': 'bulkProducts',
      'GET /api/products/active': 'listActiveProducts',
      'GET /api/products/search/{name}': 'searchProducts',
      'GET /api/products/{id}': 'getProduct',
      'PUT /api/products/{id}': 'updateProduct',
      'PATCH /api/products/{id}': 'changeProduct',
      'DELETE /api/products/{id}': 'deleteProduct',
    })
  })

  it('names what a method and a path name badly as a person would', () => {
    const names = new Map(
      [...operationsOf(document)].map(([place, { operationId }]) => [place, operationId] as const),
    )
    const expected = {
      'POST /api/v1/webhooks': 'registerWebhook',
      'POST /api/webhooks/deliveries/{id}/replay': 'replayWebhookDelivery',
      'POST /api/webhooks/subscriptions/{id}/recover': 'recoverWebhookDeliveries',
      'POST /api/webhooks/subscriptions/{id}/test': 'testWebhookSubscription',
      'PATCH /api/webhooks/subscriptions/{id}': 'updateWebhookSubscription',
      'PATCH /api/categories/{id}': 'changeCategory',
      'PUT /api/users/me/password': 'changeOwnPassword',
      'POST /api/init/first-admin': 'createFirstAdmin',
      'POST /api/auth/login': 'login',
      'POST /api/events': 'publishEvent',
      'POST /api/orders/{id}/pay': 'payOrder',
    }
    for (const [place, name] of Object.entries(expected)) assert.equal(names.get(place), name)
    assert.deepEqual(
      [...names.values()].filter((name) =>
        /^patch|V\d|^create.*(Replay|Test|Recover|Pay|Cancel)$/.test(name),
      ),
      [],
    )
  })

  it('describes every operation, parameter, schema and property', () => {
    const { described, bare } = descriptionsOf(document)
    assert.ok(described > 400, `${described} descriptions`)
    assert.deepEqual(bare, [], 'give these a `description`, where their schemas and routes are defined')
  })

  it('has one type of error for a client, and problem details beside it', () => {
    const errors = [...operationsOf(document)].flatMap(([place, { responses }]) =>
      Object.entries(inlined(document, responses))
        .filter(([status]) => Number(status) >= 400)
        .map(([status, { content = {} }]) => ({ reply: `${place} ${status}`, content })),
    )
    const health = /^GET \/(health|ready)/
    for (const { reply, content } of errors.filter((error) => !health.test(error.reply))) {
      const { schema } = content['application/json'] ?? {}
      assert.deepEqual(schema, document.components.schemas['ErrorMessage'], reply)
      const types = /\/graphql 400$/.test(reply) ? [graphqlType] : []
      assert.deepEqual(Object.keys(content), ['application/json', ...types], reply)
    }
    assert.ok(document.components.schemas['Problem'])
  })

  it('has no default, which makes generators require what may be left out', () => {
    assert.doesNotMatch(JSON.stringify(document.components.schemas), /"default":/)
    const text = JSON.stringify(document.components.schemas['ProductInput'])
    assert.match(text, /"required":\["name","price"\]/)
    assert.match(text, /`true` if absent/)
  })

  it('has no component that nothing refers to, but that of problem details', () => {
    const text = JSON.stringify(document)
    const names = Object.entries(document.components).flatMap(([kind, parts]) =>
      kind === 'securitySchemes' ? [] : Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
    )
    const unused = names.filter((name) => !text.includes(`"${name}"`))
    assert.deepEqual(unused, ['#/components/schemas/Problem'], 'remove the schemas that nothing refers to')
  })

  it('shows no keyword of ours but names in other languages', () => {
    assert.doesNotMatch(JSON.stringify(document), /"x-(?!labels")|"\$id"/)
  })

  /** The host has no identity provider and no logo, and its administrator is no portal session. */
  const withoutReply = new Set([
    '/api/tenant/sso',
    '/api/tenant/brand/logo',
    '/api/tenant/brand/logo/dark',
    '/api/webhooks/portal-sessions/current',
  ])

  it('describes replies as they come', async () => {
    for (const [place, operation] of operationsOf(document)) {
      const [method = '', path = ''] = place.split(' ')
      if (method !== 'GET' || path.includes('{') || withoutReply.has(path)) continue
      const query = path === '/graphql' ? 'query={__typename}' : requiredParameters(operation)
      const answer = await service.host.get(`${path}?${query}`)
      assert.equal(answer.status, 200, place)
      assertDescribed(operation, '200', 'application/json', answer)
    }
  })

  it('describes errors as they come, in both forms', async () => {
    const operation = operationsOf(document).get('POST /api/products')
    assert.ok(operation)
    const plain = await service.host.post('/api/products', { price: -1 })
    assertDescribed(operation, '400', 'application/json', plain)
    const accept = { accept: 'application/problem+json' }
    const problem = await service.host.post('/api/products', { price: -1 }, accept)
    assert.equal(problem.body.errors.length, 2)
    const schema = inlined(document, document.components.schemas['Problem'] ?? {})
    assert.deepEqual([...Compile(schema).Errors(problem.body)], [])
    assertDescribed(operation, '401', 'application/json', await service.anonymous.post('/api/products', {}))
  })

  it('describes each media type of GraphQL, and its 400', async () => {
    const operation = operationsOf(document).get('POST /graphql')
    assert.ok(operation)
    const ask = (accept: string, query?: string) => service.host.post('/graphql', { query }, { accept })
    for (const type of ['application/json', graphqlType]) {
      assertDescribed(operation, '200', type, await ask(type, '{ __typename }'))
    }
    const stream = await ask('text/event-stream', '{ __typename }')
    assert.equal(stream.headers.get('content-type'), 'text/event-stream')
    assertDescribed(operation, '200', 'text/event-stream', stream)
    assertDescribed(operation, '200', 'application/json', await ask('application/json', '{ nothing }'))
    for (const accept of [graphqlType, 'text/event-stream']) {
      const refused = await ask(accept, '{ nothing }')
      assert.match(refused.headers.get('content-type') ?? '', /^application\/graphql-response\+json/)
      assertDescribed(operation, '400', graphqlType, refused)
    }
    const empty = await service.host.post('/graphql', [], { accept: graphqlType })
    assertDescribed(operation, '400', 'application/json', empty)
  })

  it('describes creation and its repetition', async () => {
    const operation = operationsOf(document).get('POST /api/categories')
    assert.ok(operation)
    const key = { 'idempotency-key': 'openapi-test' }
    await service.host.post('/api/categories', { name: 'Desks' }, key)
    const replayed = await service.host.post('/api/categories', { name: 'Desks' }, key)
    assert.equal(replayed.headers.get('idempotency-replayed'), 'true')
    assertDescribed(operation, '201', 'application/json', replayed)
    const reused = await service.host.post('/api/categories', { name: 'Chairs' }, key)
    assertDescribed(operation, '422', 'application/json', reused)
  })
})

const graphqlType = 'application/graphql-response+json'

interface Answer {
  status: number
  headers: Headers
  body: unknown
}

function assertDescribed(operation: Operation, status: string, type: string, answer: Answer): void {
  assert.equal(String(answer.status), status)
  const reply = inlined(document, operation.responses[status] ?? {})
  const schema = reply.content?.[type]?.schema
  assert.ok(schema, `${operation.operationId} ${status} is described`)
  assert.deepEqual([...Compile(schema).Errors(answer.body)], [], operation.operationId)
  const sent = [...answer.headers.keys()].filter((name) => describable.test(name))
  const told = Object.keys(reply.headers ?? {}).map((name) => name.toLowerCase())
  assert.deepEqual(
    sent.filter((name) => !told.includes(name)),
    [],
    operation.operationId,
  )
}

const describable =
  /^(etag|link|location|x-request-id|www-authenticate|retry-after|ratelimit.*|idempotency.*)$/
