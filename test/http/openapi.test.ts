import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { lint, loadConfig } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Compile } from 'typebox/compile'
import { startService, type TestService } from '../harness/service.ts'
import {
  copyPath,
  type OpenApi,
  type Operation,
  operationsOf,
  readCopy,
  readDocument,
  toCopy,
} from '../openapi/document.ts'
import { inlined } from '../openapi/inlined.ts'
import { mountedRoutes } from '../openapi/mounted-routes.ts'

let service: TestService
let document: OpenApi
before(async () => {
  service = await startService('sqlite')
  document = await readDocument(service.anonymous)
})
after(() => service.stop())

describe('The OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    assert.deepEqual(await new Validator().validate(document), { valid: true })
    const broken = { ...document, paths: { '/a': { get: { responses: 'none' } } } }
    assert.equal((await new Validator().validate(broken)).valid, false)
  })

  it('has nothing that an independent linter objects to', async () => {
    const config = await loadConfig({ configPath: join(import.meta.dirname, '../../redocly.yaml') })
    const problems = await lint({ ref: copyPath, config })
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
      [],
    )
  })

  it('is committed as it is served; npm run openapi renews the copy', () => {
    assert.equal(toCopy(document), readCopy())
  })

  it('tells of every route that is mounted, and of no other', () => {
    const undocumented = /^\w+ \/(swagger|api-docs|metrics|graphql\/ui)\b/
    const mounted = mountedRoutes(service.service.app).filter((known) => !undocumented.test(known))
    const told = [...operationsOf(document).keys()].map((known) => known.replaceAll(/{(\w+)}/g, ':$1'))
    assert.deepEqual(told.toSorted(), mounted.toSorted())
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
      'GET /api/products/active': 'listActiveProducts',
      'GET /api/products/search/{name}': 'searchProducts',
      'GET /api/products/{id}': 'getProduct',
      'PUT /api/products/{id}': 'updateProduct',
      'DELETE /api/products/{id}': 'deleteProduct',
    })
  })

  it('shows no keyword of ours', () => {
    assert.doesNotMatch(JSON.stringify(document), /"x-|"\$id"/)
  })

  it('describes replies as they come', async () => {
    for (const [place, operation] of operationsOf(document)) {
      const [method = '', path = ''] = place.split(' ')
      if (method !== 'GET' || path.includes('{')) continue
      const answer = await service.host.get(`${path}${path === '/graphql' ? '?query={__typename}' : ''}`)
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
    assertDescribed(operation, '400', 'application/problem+json', problem)
    assertDescribed(operation, '401', 'application/json', await service.anonymous.post('/api/products', {}))
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
