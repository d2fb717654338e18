/** The kinds of fields as callers see them: values that a row may have, and what filters ask of them. */
import { Type } from 'typebox'
import type { AnyField } from '../../../src/entity/field.ts'
import { boolean, date, integer, json, listOf, money, oneOf, text, timestamp } from '../../../src/index.ts'

export interface Kind {
  make(): AnyField
  values: readonly unknown[]
  /** No value of the kind. */
  wrong: unknown
  /** The operators of filters over REST, but for `isNull`. */
  operators: readonly string[]
}

const equality = ['eq', 'neq', 'in', 'nin']
const ordered = [...equality, 'gt', 'gte', 'lt', 'lte']
const textual = [
  ...[...equality, 'contains', 'startsWith', 'endsWith'],
  ...['ieq', 'icontains', 'istartsWith', 'iendsWith'],
]

const words = [
  'oak',
  'Oak',
  'ÖL',
  'öl',
  'straße',
  'STRASSE',
  'Σίσυφος',
  'σίσυφοσ',
  '%',
  '_',
  '\\',
  "'",
  '',
  '😀 x',
]
const counts = [-3, 0, 2, 10, 2_147_483_647]

export const kinds = {
  text: { make: () => text({ min: 0 }), values: words, wrong: {}, operators: textual },
  folded: {
    make: () => text({ min: 0, ignoreCase: true }),
    values: words,
    wrong: [],
    operators: textual,
  },
  /** No list is sorted by it. */
  long: {
    make: () => text({ min: 0, max: 3000, ignoreCase: true }),
    values: words,
    wrong: [],
    operators: textual,
  },
  integer: { make: () => integer({ min: -3 }), values: counts, wrong: 0.5, operators: ordered },
  money: {
    make: () => money({ min: -1 }),
    values: [-0.5, 0, 0.1, 9.99, 12.5, 99_999_999_999.9999],
    wrong: 0.00001,
    operators: ordered,
  },
  boolean: { make: boolean, values: [true, false], wrong: 'maybe', operators: ['eq', 'neq'] },
  date: {
    make: date,
    values: ['2025-12-31', '2026-01-01', '2028-02-29'],
    wrong: '2026-02-29',
    operators: ordered,
  },
  timestamp: {
    make: timestamp,
    values: ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', '2026-03-01T12:00:00.000Z'],
    wrong: '2026-01-01',
    operators: ordered,
  },
  enum: {
    make: () => oneOf('low', 'High', 'NONE'),
    values: ['low', 'High', 'NONE'],
    wrong: 'Low',
    operators: equality,
  },
  json: {
    make: () => json(Type.Object({ a: Type.Optional(Type.Integer()), b: Type.Optional(Type.String()) })),
    values: [{}, { a: 1 }, { b: '"\\\'' }],
    wrong: { a: 'x' },
    operators: [],
  },
  union: {
    make: () => json(Type.Union([Type.String({ maxLength: 9 }), Type.Integer()])),
    values: ['x', 3],
    wrong: 'too long by far',
    operators: [],
  },
  list: {
    make: () => listOf(text(), 3),
    values: [[], ['x'], ['b', 'a', 'b']],
    wrong: ['', ''],
    operators: [],
  },
} satisfies Record<string, Kind>

export const operatorsOfIds = equality

export type KindName = keyof typeof kinds | 'reference' | 'many' | 'sequence' | 'computed'

export const kindNames = [...Object.keys(kinds), 'reference', 'many', 'sequence', 'computed'] as KindName[] // its keys
