/** Definitions that make no sense are refused with the reason. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Compile } from 'typebox/compile'
import {
  boolean,
  entity,
  integer,
  many,
  money,
  reference,
  sequence,
  text,
  timestamp,
} from '../../src/index.ts'

const refused: [what: string, define: () => unknown, reason: RegExp][] = [
  [
    'a name that is no word',
    () => entity('Sales Order', { fields: {} }),
    /Sales Order is no name of an entity/,
  ],
  [
    'a field that every row has',
    () => entity('note', { fields: { createdAt: text() } }),
    /note\.createdAt: every entity has createdAt/,
  ],
  ['a field that is no name', () => entity('note', { fields: { 'due on': text() } }), /note\.due on: /],
  [
    'a search in a number',
    () => entity('note', { fields: { size: integer() }, search: ['size'] }),
    /only text can be searched/,
  ],
  ['a text without bounds', () => text({ max: 1_000_000 }), /longer than the maximum/],
  [
    'a list in a list',
    () => entity('note', { fields: { rows: many({ inner: many({ a: text() }) }) } }),
    /no field of the kind many/,
  ],
  [
    'a sequence in a list',
    () => entity('note', { fields: { rows: many({ n: sequence() }) } }),
    /no field of the kind sequence/,
  ],
  [
    'a unique field that is not there',
    () => entity('note', { fields: { name: text() }, unique: [['title' as 'name']] }),
    /note has no field title/,
  ],
  [
    'a computed field without its function',
    () => entity('note', { fields: { total: money().computed() }, compute: {} as { total: () => number } }),
    /note\.total is computed, but compute has no total/,
  ],
  [
    'a reference to something else',
    () =>
      entity('note', { fields: { to: reference({ name: 'x', table: 'x' }) } }).model.relations.get('to')
        ?.entity,
    /refers to no entity/,
  ],
]

describe('A definition of an entity', () => {
  for (const [what, define, reason] of refused)
    it(`is refused with ${what}`, () => assert.throws(define, reason))

  it('has the plural of its name, or the one that it is given', () => {
    const paths = (['invoice', 'category', 'box', 'purchaseOrder', 'day'] as const).map(
      (name) => entity(name, { fields: {} }).routes[0]?.path,
    )
    assert.deepEqual(paths, [
      '/api/invoices',
      '/api/categories',
      '/api/boxes',
      '/api/purchase-orders',
      '/api/days',
    ])
    assert.equal(entity('person', { fields: {}, plural: 'people' }).routes[0]?.path, '/api/people')
  })

  it('checks what it must, also where it may be left out, has a default or is changed', () => {
    const { schemas } = entity('bill', {
      fields: {
        total: money().describe('The total'),
        tax: money().optional(),
        fee: money().default(1),
        due: timestamp().optional(),
      },
    })
    const given = { total: 1.23456, tax: 1.23456, fee: 1.23456, due: '0000-01-01T00:00:00.000Z' }
    for (const schema of [schemas.input, schemas.change]) {
      const faults = Compile(schema)
        .Errors(given)
        .map(({ instancePath }) => instancePath)
      assert.deepEqual(faults, ['/total', '/tax', '/fee', '/due'])
      assert.ok(Compile(schema).Check({ total: 1, tax: null, due: null }))
    }
  })

  it('may leave operations out', () => {
    const { routes, graphql } = entity('note', {
      fields: { done: boolean() },
      without: ['delete', 'replace'],
    })
    assert.deepEqual(
      routes.map(({ method }) => method),
      ['GET', 'GET', 'POST', 'PATCH'],
    )
    assert.deepEqual(Object.keys(graphql.mutations ?? {}), ['createNote', 'updateNote'])
  })
})
