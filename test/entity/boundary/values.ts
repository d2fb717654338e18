/** Values of each kind of field that are right by their form, at the borders of what both databases hold. */
import { Type } from 'typebox'
import {
  boolean,
  date,
  entity,
  integer,
  json,
  listOf,
  many,
  money,
  oneOf,
  reference,
  text,
  timestamp,
} from '../../../src/index.ts'

export const owner = entity('owner', { fields: { name: text() } })

export const holder = entity('holder', {
  fields: {
    text: text({ min: 0 }).optional(),
    folded: text({ max: 40, ignoreCase: true }).optional(),
    long: text({ max: 3000 }).optional(),
    integer: integer().optional(),
    small: integer({ min: -3, max: 10 }).optional(),
    money: money({ min: -99_999_999_999.9999 }).optional(),
    boolean: boolean().optional(),
    date: date().optional(),
    timestamp: timestamp().optional(),
    enum: oneOf('low', 'High').optional(),
    owner: reference(owner).optional(),
    json: json(Type.Object({}, { additionalProperties: true })).optional(),
    texts: listOf(text(), 3).optional(),
    integers: listOf(integer(), 3).optional(),
    amounts: listOf(money(), 3).optional(),
    days: listOf(date(), 3).optional(),
    lines: many({ at: timestamp(), note: text().optional() }, { max: 3 }).default([]),
  },
})

export const someOwner = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2cff'

/** As JSON: what is given, and what the row then has; without the second, the value is refused. */
export type Boundary = readonly [given: string, kept?: string]

const same = (...values: readonly string[]): Boundary[] => values.map((value) => [value, value])
const refused = (...values: readonly string[]): Boundary[] => values.map((value) => [value])

const days: readonly Boundary[] = [
  ...same('"0001-01-01"', '"9999-12-31"', '"2000-02-29"', '"1582-10-10"'),
  ...refused('"0000-01-01"', '"0000-12-31"', '"1900-02-29"', '"2026-02-30"', '"2026-13-01"', '"10000-01-01"'),
  ...refused('"+010000-01-01"', '"-000001-01-01"', '"2026-1-1"', '""', '"infinity"', '"now"', '20260101'),
]

const integers: readonly Boundary[] = [
  ...same('0', '-1', '9007199254740991', '-9007199254740991', '2147483648', '-2147483649'),
  ...[['-0', '0'] as const, ['1.0', '1'] as const, ['1e3', '1000'] as const],
  ...refused('9007199254740992', '-9007199254740992', '9007199254740993', '9223372036854775807', '1e400'),
  ...refused('0.5', '1e16', '1.00000000000000000001', '"1"'),
]

const amounts: readonly Boundary[] = [
  ...same('0', '0.0001', '99999999999.9999', '12345678901.2345', '0.1'),
  ...[['-0', '0'] as const, ['0.10000', '0.1'] as const, ['1e2', '100'] as const, ['-0.0', '0'] as const],
  ...refused('99999999999.99991', '100000000000', '0.00001', '1e-5', '1e-400', '0.1000000000000000000000001'),
  ...refused('0.10000000000000000555', '1e400', '99999999999.99990000000001', '"0.1"'),
]

const texts: readonly Boundary[] = [
  ...same('"a"', '"\u{10ffff}"', '"\ufffd\ufeff."', '"e\u0301"', '"%_\'"', '"\\u0001"', '"İıſẞ"'),
  ...[['" a "', '"a"'] as const, ['"\ufeffa\u2028"', '"a"'] as const],
  ...refused('"a\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '1'),
]

/** By member. */
export const boundaries: Readonly<Record<string, readonly Boundary[]>> = {
  text: [...texts, ...same('""', `"${'😀'.repeat(200)}"`), ...refused(`"${'a'.repeat(201)}"`), ['" "', '""']],
  folded: [
    ...texts,
    ...same('"ﬃ"', '"ΐ"', `"${'\u{1d160}'.repeat(40)}"`),
    ...refused('""', '" "', `"${'a'.repeat(41)}"`),
  ],
  long: [...texts, ...same(`"${'\u{10ffff}'.repeat(3000)}"`), ...refused(`"${'a'.repeat(3001)}"`)],
  integer: integers,
  small: [...same('-3', '10'), ...refused('-4', '11', '9007199254740991')],
  money: [...amounts, ...same('-99999999999.9999', '-0.0001')],
  boolean: [...same('true', 'false'), ...refused('"true"', '1', '0')],
  date: days,
  timestamp: [
    ...same('"0001-01-01T00:00:00.000Z"', '"9999-12-31T23:59:59.999Z"', '"1969-12-31T23:59:59.999Z"'),
    ['"0000-12-31T23:00:00-01:00"', '"0001-01-01T00:00:00.000Z"'],
    ['"9999-12-31T23:59:59.9999Z"', '"9999-12-31T23:59:59.999Z"'],
    ['"9999-12-31T23:59:59+00:01"', '"9999-12-31T23:58:59.000Z"'],
    ['"2026-01-31t09:30:00z"', '"2026-01-31T09:30:00.000Z"'],
    ['"2026-01-31T09:30:00.1239+14:00"', '"2026-01-30T19:30:00.123Z"'],
    ['"2026-01-31T09:30:00-00:00"', '"2026-01-31T09:30:00.000Z"'],
    ...refused('"9999-12-31T23:59:59-01:00"', '"0001-01-01T00:00:00+00:01"', '"0000-01-01T00:00:00Z"'),
    ...refused('"+010000-01-01T00:00:00Z"', '"-000001-01-01T00:00:00Z"', '"2026-02-30T00:00:00Z"'),
    ...refused(
      '"2026-01-31T24:00:00Z"',
      '"2016-12-31T23:59:60Z"',
      '"2026-01-31T09:30:00"',
      '"infinity"',
      '0',
    ),
  ],
  enum: [...same('"low"', '"High"'), ...refused('"LOW"', '""', '"low,High"', '0')],
  ownerId: [
    [`"${someOwner}"`, `"${someOwner}"`],
    [`"${someOwner.toUpperCase()}"`, `"${someOwner}"`],
    ...refused('"0198c6f0-3d5a-7c31-9a57-000000000000"', '"0198c6f03d5a7c319a575f0f5d5b2cff"', '""', '1'),
  ],
  json: [
    ...same(
      '{}',
      '{"__proto__":{"a":1}}',
      '{"a":{"constructor":{"prototype":{"b":null}}}}',
      '{"a":"\u2028"}',
    ),
    ...same('{"a":9007199254740991,"b":-1e-7,"c":1e+21}', '{"a":5e-324,"b":1.7976931348623157e+308}'),
    ['{"a":-0,"b":1.50,"c":1E2}', '{"a":0,"b":1.5,"c":100}'],
    ...refused(
      '{"a":820982911946154508}',
      '{"a":[0.1000000000000000000000001]}',
      '{"a":1e400}',
      '{"a":1e-400}',
    ),
    ...refused('{"a":"\\u0000"}', '{"\\ud800":1}', '[]', '"x"', '1'),
  ],
  texts: [
    ...same('[]', '["a","\u{10ffff}"]'),
    ['[" a "]', '["a"]'],
    ...refused('[""]', '["\\u0000"]', '[1]'),
  ],
  integers: listOfEach(integers),
  amounts: listOfEach(amounts),
  days: listOfEach(days),
  lines: [
    ['[]', '[]'],
    ['[{"at":"0000-12-31T23:00:00-01:00"}]', '[{"at":"0001-01-01T00:00:00.000Z","note":null}]'],
    ['[{"at":"2026-01-31T09:30:00+02:00","note":" a "}]', '[{"at":"2026-01-31T07:30:00.000Z","note":"a"}]'],
    ...refused(
      '[{"at":"9999-12-31T23:59:59-01:00"}]',
      '[{"at":"2026-02-30T00:00:00Z"}]',
      '[{}]',
      '[1]',
      '{}',
    ),
  ],
}

function listOfEach(values: readonly Boundary[]): Boundary[] {
  return values.map(([given, kept]) => (kept === undefined ? [`[${given}]`] : [`[${given}]`, `[${kept}]`]))
}
