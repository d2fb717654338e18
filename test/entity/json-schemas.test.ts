/** Fields of JSON take every legal schema, required and optional: what it accepts is kept, anything else refused. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { Type } from 'typebox'
import { entity, json } from '../../src/index.ts'
import { onEachDatabase } from '../support/databases.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { migrated } from './migrated.ts'

const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, additionalProperties: false }
const list = { name: Type.String(), children: Type.Array(Type.Ref('Node')) }

/** By name: the schema, what it accepts, and what it refuses. */
const schemas: Readonly<Record<string, readonly [schema: object, good: unknown[], bad: unknown[]]>> = {
  severalTypes: [{ type: ['object', 'array'] }, [{ a: 1 }, [1]], ['x', 3]],
  typesWithNull: [{ type: ['string', 'null', 'number'] }, ['x', 2], [true]],
  anything: [{}, [{ a: 1 }, [1], 'x', 3, false], []],
  anyOf: [{ anyOf: [{ type: 'string' }, { type: 'object', required: ['a'] }] }, ['x', { a: 1 }], [3, {}]],
  oneOf: [{ oneOf: [{ type: 'integer' }, { type: 'array', items: { type: 'string' } }] }, [1, ['x']], [[1]]],
  allOf: [{ type: 'object', allOf: [{ type: 'object', required: ['a'] }] }, [{ a: 1 }], [{}]],
  not: [{ not: { type: 'string' } }, [1, {}], ['x']],
  constant: [{ const: { a: [1] } }, [{ a: [1] }], [{ a: [2] }]],
  literal: [Type.Literal('a'), ['a'], ['b']],
  mixedEnum: [{ enum: ['x', 1, true, { a: 1 }] }, ['x', 1, true, { a: 1 }], ['y', 2, false, {}]],
  enumWithNull: [{ type: ['string', 'integer', 'null'], enum: ['x', 1, null] }, ['x', 1], ['y', 2]],
  always: [Object(true), ['x', [1]], []],
  membersByBoolean: [{ type: 'object', properties: { any: true, no: false } }, [{ any: [1] }], [{ no: 1 }]],
  tuple: [{ type: 'array', prefixItems: [{ type: 'string' }], items: false }, [['a']], [[1], ['a', 1]]],
  conditional: [
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    { type: 'object', if: { required: ['kind'] }, then: { required: ['x'] }, else: { required: ['y'] } },
    [{ kind: 'a', x: 1 }, { y: 1 }],
    [{ kind: 'a' }, {}],
  ],
  ownParts: [{ $defs: { node }, $ref: '#/$defs/node' }, [{ next: { next: {} } }], [{ next: { other: 1 } }]],
  itself: [
    { type: 'object', properties: { next: { $ref: '#' }, count: { type: 'integer' } } },
    [{ next: { next: { count: 1 } } }],
    [{ next: { count: 'x' } }, { next: null }],
  ],
  cyclic: [
    Type.Cyclic({ Node: Type.Object(list) }, 'Node'),
    [{ name: 'a', children: [{ name: 'b', children: [] }] }],
    [{ name: 'a', children: [{ name: 1, children: [] }] }],
  ],
}

const names = Object.keys(schemas)
const entities = names.map((name) => {
  const [schema = {}] = schemas[name] ?? []
  const field = () => json(Type.Unsafe<unknown>(schema))
  return entity(name, { plural: `${name}s`, fields: { needed: field(), free: field().optional() } })
})

onEachDatabase('A field of JSON', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, { features: migrated(entities) })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const pathOf = (name: string) => tenant.admin.get('/api/entities').then(({ body }) => pathIn(body, name))

  for (const [name, [, good, bad]] of Object.entries(schemas)) {
    it(`has values of its schema and no others: ${name}`, async () => {
      const path = await pathOf(name)
      const [sample] = good
      for (const value of good) {
        const made = await tenant.admin.post(path, { needed: value, free: value })
        assert.equal(made.status, 201, made.text)
        const { id } = made.body
        assert.equal((await tenant.admin.patch(`${path}/${id}`, { free: null })).status, 200)
        assert.equal((await tenant.admin.patch(`${path}/${id}`, { free: value })).status, 200)
        const query = `{ ${name}(id: "${id}") { needed free } }`
        const { body } = await tenant.admin.post('/graphql', { query })
        assert.deepEqual(body.data[name], { needed: value, free: value })
        const read = (await tenant.admin.get(`${path}/${id}`)).body
        assert.deepEqual([read.needed, read.free], [value, value])
      }
      for (const value of [...bad, null]) {
        const refused = await tenant.admin.post(path, { needed: value })
        assert.equal(refused.status, 400, refused.text)
        assert.match(refused.body.message, /needed/)
      }
      for (const value of bad) {
        const refused = await tenant.admin.post(path, { needed: sample, free: value })
        assert.equal(refused.status, 400, refused.text)
      }
    })
  }

  it('is described in the OpenAPI document, whose parts refer to themselves', async () => {
    const { status, body } = await service.anonymous.get('/swagger/v1/swagger.json')
    assert.equal(status, 200)
    const { needed } = body.components.schemas.OwnParts.properties
    assert.match(needed.$id, /^urn:schema:/)
    assert.deepEqual(needed.$defs, { node })
  })
})

interface Described {
  name: string
  operations: { list: { path: string } }
}

function pathIn(described: readonly Described[], name: string): string {
  const found = described.find((each) => each.name === name)
  assert.ok(found)
  return found.operations.list.path
}
