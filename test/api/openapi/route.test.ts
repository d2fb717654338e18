import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type } from 'typebox'
import { buildOpenApi } from '../../../src/api/openapi/document.ts'
import { type Route, route } from '../../../src/core/feature/route.ts'
import { type OpenApi, type Operation, operationsOf } from '../../support/http/openapi-document.ts'

describe('From a route follow', () => {
  const note = Type.Object({ text: Type.String() }, { $id: 'Note' })

  it('its statuses', () => {
    assert.deepEqual(statuses({ access: 'anonymous', database: 'none' }), ['200', '500'])
    assert.deepEqual(statuses({ access: 'anonymous' }), ['200', '400', '404', '500', '503'])
    assert.deepEqual(statuses({ access: 'public' }), ['200', '400', '401', '403', '404', '500', '503'])
    assert.deepEqual(statuses({ access: 'user' }), ['200', '400', '401', '403', '500', '503'])
    const query = Type.Object({ word: Type.String() })
    assert.deepEqual(extraStatuses({ query }), [])
    assert.deepEqual(extraStatuses({ headers: ['etag'] }), ['304'])
    assert.deepEqual(extraStatuses({ method: 'POST', body: note }), ['413', '415', '429'])
    assert.deepEqual(extraStatuses({ method: 'POST', body: note, access: 'anonymous' }), [
      '404',
      '413',
      '415',
    ])
    assert.deepEqual(extraStatuses({ method: 'POST', idempotent: true }), ['409', '422'])
    assert.deepEqual(extraStatuses({ method: 'PUT', conditional: true }), ['412'])
    assert.deepEqual(extraStatuses({ limit: 'strict' }), ['429'])
    assert.deepEqual(extraStatuses({ errors: ['notFound'] }), ['404'])
  })

  it('whether a token is needed', () => {
    assert.deepEqual(describeOne({ access: 'anonymous' }).security, [])
    assert.deepEqual(describeOne({ access: 'public' }).security, [{}, { bearer: [] }, { apiKey: [] }])
    assert.equal(describeOne({ access: 'user' }).security, undefined)
  })

  it('its request headers', () => {
    const named = (members: Partial<Route>) => describeOne(members).parameters.map(({ $ref }) => $ref)
    assert.deepEqual(named({ headers: ['etag'] }), ['#/components/parameters/IfNoneMatch'])
    assert.deepEqual(named({ method: 'PUT', conditional: true }), [
      '#/components/parameters/IfMatch',
      '#/components/parameters/IfUnmodifiedSince',
      '#/components/parameters/IfNone',
    ])
    assert.deepEqual(named({ method: 'POST', idempotent: true }), ['#/components/parameters/IdempotencyKey'])
  })

  it('one component for each named schema, however deep it stands', () => {
    const book = Type.Object({ notes: Type.Array(note) }, { $id: 'Book' })
    const { components } = build({ reply: book })
    assert.deepEqual(Object.keys(components.schemas), ['Book', 'ErrorMessage', 'Note', 'Problem'])
    assert.deepEqual(components.schemas['Book'], {
      type: 'object',
      required: ['notes'],
      properties: { notes: { type: 'array', items: { $ref: '#/components/schemas/Note' } } },
      examples: [{ notes: [{ text: 'string' }] }],
    })
  })

  it('a refusal where one name stands for two schemas', () => {
    const other = Type.Object({ title: Type.String() }, { $id: 'Note' })
    assert.throws(() => build({ body: note, reply: other }), /Two different schemas have the \$id Note/)
  })
})

function build(members: Partial<Route>): OpenApi {
  const handle = async () => null
  const common = { method: 'GET', path: '/notes', summary: 'Notes', tag: 'Notes' } as const
  const described = { ...route({ ...common, access: 'user', handle }), ...members }
  return buildOpenApi([described], { version: 'v1', baseUrl: '/' }) as unknown as OpenApi
}

function describeOne(members: Partial<Route>): Operation {
  const [operation] = operationsOf(build(members)).values()
  assert.ok(operation)
  return operation
}

function statuses(members: Partial<Route>): string[] {
  return Object.keys(describeOne(members).responses)
}

function extraStatuses(members: Partial<Route>): string[] {
  const usual = statuses({})
  return statuses(members).filter((status) => !usual.includes(status))
}
