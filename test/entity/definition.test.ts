/** Definitions that make no sense are refused with the reason. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import {
  boolean,
  date,
  type EventsOf,
  entity,
  integer,
  json,
  listOf,
  many,
  money,
  oneOf,
  reference,
  sequence,
  text,
  timestamp,
  user,
} from '../../src/index.ts'

const title = text()

/** @param fields of a note @param options that its types would refuse, some of them */
function note(fields: object, options: object = {}): () => unknown {
  return () => entity('note', { fields, ...options } as never)
}

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
  ['a plural that is its name', note({ title }, { plural: 'note' }), /give it a plural/],
  [
    'two fields with one member',
    note({ toId: title, to: reference({ name: 'x', table: 'x' }) }),
    /note\.to: another field has a member of this name/,
  ],
  [
    'two fields with one column',
    note({ title: text({ ignoreCase: true }), searchTitle: text() }),
    /note\.searchTitle: the table note has its column already/,
  ],
  [
    'a column that rows of a list have already',
    note({ lines: many({ note: reference({ name: 'x', table: 'x' }) }) }),
    /note\.lines\.note: the table note_line has its column already/,
  ],
  [
    'two lists with one table',
    note({ line: many({ title }), lines: many({ title }) }),
    /note\.lines: .* the same table/,
  ],
  ['a name that filters have', note({ and: title }), /note\.and: filters, or all objects, have/],
  [
    'a name that all objects have',
    note({ toString: title }),
    /note\.toString: filters, or all objects, have/,
  ],
  [
    'a table with too long a name',
    () => entity('n'.repeat(39), { fields: { ['m'.repeat(40)]: many({ title }) } }),
    /too long a name/,
  ],
  ['a word that is none', note({ state: oneOf('in progress') }), /note\.state: "in progress" is no word/],
  ['a word twice', note({ state: oneOf('open', 'open') }), /note\.state: it names a word twice/],
  [
    'a number without values',
    note({ size: integer({ min: 2, max: 1 }) }),
    /note\.size: its minimum 2 is larger/,
  ],
  [
    'a text without values',
    note({ lines: many({ title: text({ min: 3, max: 2 }) }) }),
    /note\.lines\.title: its minimum 3/,
  ],
  [
    'a list without values',
    note({ lines: many({ title }, { min: 3, max: 2 }) }),
    /note\.lines: its minimum 3 is larger/,
  ],
  [
    'a pattern that is none',
    note({ title: text({ pattern: '(' }) }),
    /note\.title: its pattern is no regular expression/,
  ],
  ['amounts that are not exact', note({ sum: money({ max: 1e12 }) }), /note\.sum: an amount is exact up to/],
  [
    'a default that is too large',
    note({ size: integer({ max: 5 }).default(9) }),
    /note\.size: its default 9 is not allowed/,
  ],
  [
    'a default that is no whole number',
    note({ size: integer().default(0.5) }),
    /its default 0\.5 is not allowed/,
  ],
  ['a default that is too short', note({ title: text().default('') }), /its default "" is not allowed/],
  ['a default that is no day', note({ on: date().default('2026-02-30') }), /its default "2026-02-30"/],
  [
    'a default that is no moment',
    note({ at: timestamp().default('2026-01-01') }),
    /its default "2026-01-01"/,
  ],
  ['a default that is none of its words', note({ state: oneOf('a').default('b' as 'a') }), /its default "b"/],
  [
    'a unique list',
    note({ tags: listOf(text()) }, { unique: [['tags']] }),
    /note\.tags: a unique constraint/,
  ],
  ['a search in an unknown field', note({ title }, { search: ['titel'] }), /note has no field titel/],
  [
    'a sort by a list',
    note({ lines: many({ title }) }, { sort: ['lines'] }),
    /note has no field lines with a column/,
  ],
  [
    'a sort by JSON',
    note({ data: json(title.spec.schema) }, { sort: ['data'] }),
    /note\.data: lists are not sorted by JSON/,
  ],
  [
    'a sort by texts that no index has',
    note({ title: text({ max: 626 }) }, { sort: ['title'] }),
    /note\.title: lists that are sorted by it need an index, which has no texts as long/,
  ],
  [
    'a unique text that no index has',
    note({ title: text({ max: 417, ignoreCase: true }) }, { unique: [['title']] }),
    /note\.title: a unique constraint needs an index, which has no texts as long/,
  ],
  [
    'unique texts that no index has together',
    note({ title: text({ max: 313 }), body: text({ max: 313 }) }, { unique: [['title', 'body']] }),
    /note\.body: a unique constraint needs an index/,
  ],
  [
    'an action that is no name',
    note({ title }, { actions: { 'pay now': {} } }),
    /note\.pay now: write the name/,
  ],
  ['an action that it has already', note({ title }, { actions: { update: {} } }), /note\.update: .* already/],
  [
    'an action from an unknown member',
    note({ title }, { actions: { end: { from: { titel: 'x' } } } }),
    /note\.end: the action names no member titel/,
  ],
  [
    'two events of one name',
    note({ title }, { actions: { close: {}, end: { event: 'closed' } } }),
    /note\.end: another event/,
  ],
  [
    'the payload of an unknown event',
    note({ title }, { payload: { sent: ['title'] } }),
    /note\.payload: there is no event sent/,
  ],
  [
    'a payload with an unknown member',
    note({ title }, { payload: { created: ['titel'] } }),
    /note\.payload: titel is no member/,
  ],
  [
    'a function for a field that is not computed',
    note({ title }, { compute: { title: () => 'x' } }),
    /note\.title: .* not computed/,
  ],
  [
    'a user who is cleared from a required member',
    note({ owner: user({ onDelete: 'clear' }) }),
    /note\.owner: .* optional\(\)/,
  ],
  [
    'a user who is cleared from a list',
    note({ owners: many({ owner: user({ onDelete: 'clear' }).optional() }) }),
    /note\.owners\.owner: rows of a list keep/,
  ],
  [
    'a field with the name of the name of a user',
    note({ owner: user().shown(), ownerName: text() }),
    /note\.ownerName: another field/,
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

  it('has the events that the compiler knows, with their members', () => {
    const parcel = entity('parcel', {
      fields: { label: text({ max: 2000 }), contents: text({ max: 2001 }), stops: listOf(text()) },
      payload: { created: ['label', 'stops'] },
      actions: { supply: {}, play: {}, close: {}, deliver: { event: 'handedOver' }, weigh: {} },
    })
    const expected: { [T in keyof EventsOf<typeof parcel>]: readonly (keyof EventsOf<typeof parcel>[T])[] } =
      {
        'parcel.created': ['parcelId', 'label', 'stops'],
        'parcel.updated': ['parcelId', 'label'],
        'parcel.deleted': ['parcelId'],
        'parcel.supplied': ['parcelId', 'label'],
        'parcel.played': ['parcelId', 'label'],
        'parcel.closed': ['parcelId', 'label'],
        'parcel.handedOver': ['parcelId', 'label'],
        'parcel.weighed': ['parcelId', 'label'],
      }
    const made = Object.entries(parcel.events).map(([name, { payload }]) => [
      name,
      Object.keys((payload as unknown as TObject).properties), // of an object schema
    ])
    assert.deepEqual(Object.fromEntries(made), expected)
  })

  it('may leave operations out', () => {
    const { routes, graphql } = entity('note', {
      fields: { done: boolean() },
      without: ['delete', 'replace'],
    })
    assert.deepEqual(
      routes.map(({ method }) => method),
      ['GET', 'GET', 'POST', 'PATCH', 'POST'],
    )
    assert.deepEqual(Object.keys(graphql.mutations ?? {}), ['createNote', 'updateNote'])
  })
})
