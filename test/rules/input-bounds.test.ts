/**
 * Everything that a schema reads from a caller has a bound: each text, each list, each object of free names, and these
 * names; and the value of each name is checked.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type TSchema, Type } from 'typebox'
import { GraphQLQuery, GraphQLRequest } from '../../src/api/graphql/transport/parameters.ts'
import type { Feature } from '../../src/core/feature/feature.ts'
import { Named } from '../../src/core/schema/record.ts'
import { sharedService } from '../support/service.ts'
import { assertListed } from './listed.ts'

interface Keywords {
  type?: string | readonly string[]
  format?: string
  enum?: readonly unknown[]
  const?: unknown
  maxLength?: number
  maxItems?: number
  maxProperties?: number
  items?: Keywords
  properties?: Readonly<Record<string, Keywords>>
  patternProperties?: Readonly<Record<string, Keywords>>
  propertyNames?: Keywords
  anyOf?: readonly Keywords[]
}

/** Bounded by the limit of the body and by its depth: what is in them is not ours to say. */
const freeForm = [
  'POST /api/events body.data',
  'PUT /api/preferences/:name body.value',
  'POST /api/webhooks/rules/:id/dry-run body.body',
  'POST /graphql body.variables',
  'POST /graphql body.extensions',
  'action publish',
  'action log',
]

/** @returns the places in the schema that have no bound */
function unbounded(schema: Keywords, place: string): string[] {
  const { type, anyOf } = schema
  if (schema.enum !== undefined || schema.const !== undefined) return []
  if (anyOf !== undefined) return anyOf.flatMap((choice) => unbounded(choice, place))
  if (type === undefined) return [place]
  return [type].flat().flatMap((name) => rules[name]?.(schema, place) ?? [])
}

const rules: Readonly<Record<string, (schema: Keywords, place: string) => string[]>> = {
  string: ({ maxLength, format }, place) => (maxLength === undefined && format !== 'uuid' ? [place] : []),
  array: ({ maxItems, items = {} }, place) => [
    ...(maxItems === undefined ? [place] : []),
    ...unbounded(items, `${place}[]`),
  ],
  object: ({ properties = {}, patternProperties = {}, propertyNames, maxProperties }, place) => [
    ...(Object.keys(properties).length === 0 && maxProperties === undefined ? [place] : []),
    ...Object.keys(patternProperties).flatMap((pattern) => [
      ...unbounded({ type: 'string', ...propertyNames }, `${place} names`),
      ...(new RegExp(pattern).test('a\nb') ? [] : [`${place} names with a line break`]),
    ]),
    ...Object.entries({ ...properties, ...patternProperties }).flatMap(([name, member]) =>
      unbounded(member, `${place}.${name}`),
    ),
  ],
}

/** By the place where it is read. */
function inputSchemas(features: readonly Feature[]): [place: string, schema: TSchema][] {
  const routes = features.flatMap(({ routes: own = [] }) => own)
  const ofRoutes = routes.flatMap(({ method, path, body, query }) => {
    const parts = { body, query }
    return Object.entries(parts).flatMap(([part, schema]): [string, TSchema][] =>
      schema === undefined ? [] : [[`${method} ${path} ${part}`, schema]],
    )
  })
  const mutations = features.flatMap(({ graphql }) => Object.entries(graphql?.mutations ?? {}))
  const ofMutations = mutations.flatMap(([name, { args }]) =>
    Object.entries(args).map(([arg, schema]): [string, TSchema] => [`mutation ${name} ${arg}`, schema]),
  )
  const actions = features.flatMap(({ actions: own = {} }) => Object.entries(own))
  const ofActions = actions.map(([name, { payload }]): [string, TSchema] => [`action ${name}`, payload])
  return [
    ...ofRoutes,
    ['GET /graphql query', GraphQLQuery],
    ['POST /graphql body', GraphQLRequest],
    ...ofMutations,
    ...ofActions,
  ]
}

describe('Every schema that reads input', () => {
  it('has a bound for each text, list and object of free names', async () => {
    const service = await sharedService('sqlite')
    const schemas = inputSchemas(service.service.features)
    await service.stop()
    assert.ok(schemas.length > 40, `only ${schemas.length} schemas were found`)
    const found = schemas.flatMap(([place, schema]) => unbounded(schema as Keywords, place))
    assertListed(
      found,
      freeForm,
      'give it a bound, or add it to the list freeForm in test/rules/input-bounds.test.ts',
    )
  })

  const everyName = Type.String({ pattern: '^[\\s\\S]*$' })
  const unboundedSamples = {
    'a text': Type.String(),
    'a text with a pattern': Type.String({ pattern: '^a+$' }),
    'a moment': Type.String({ format: 'date-time' }),
    'a text that may be null': Type.Unsafe({ type: ['string', 'null'] }),
    'a list': Type.Array(Type.Integer()),
    'a text in a list': Type.Array(Type.String(), { maxItems: 3 }),
    'a text in an object': Type.Object({ name: Type.Optional(Type.String()) }),
    'a text in a union': Type.Union([Type.Integer(), Type.String()]),
    'an open object': Type.Object({}, { additionalProperties: true }),
    'an object of free names': Type.Object({ map: Named(Type.Integer(), { max: 3 }, {}) }),
    'a text in such an object': Named(Type.String(), { max: 3 }, { maxProperties: 3 }),
    'a name in such an object': Type.Record(everyName, Type.Integer(), { maxProperties: 3 }),
    'a name with a line break': Type.Record(Type.String(), Type.Integer(), {
      maxProperties: 3,
      propertyNames: { type: 'string', maxLength: 3 },
    }),
    'any value': Type.Unknown(),
  }
  for (const [title, schema] of Object.entries(unboundedSamples)) {
    it(`refuses ${title} without a bound`, () => assert.equal(unbounded(schema as Keywords, 'x').length, 1))
  }

  it('allows each of them with a bound', () => {
    const text = Type.String({ maxLength: 3 })
    const bounded = Type.Object({
      text: Type.Unsafe({ ...text, type: ['string', 'null'] }),
      kind: Type.Unsafe({ type: 'string', enum: ['a', 'b'] }),
      id: Type.String({ format: 'uuid' }),
      list: Type.Array(text, { maxItems: 3 }),
      map: Named(text, { max: 3 }, { maxProperties: 3 }),
      either: Type.Union([Type.Integer(), text, Type.Literal('x')]),
      amount: Type.Number(),
    })
    assert.deepEqual(unbounded(bounded as Keywords, 'x'), [])
  })
})
