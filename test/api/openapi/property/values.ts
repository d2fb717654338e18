/** Values for a JSON Schema: accepted ones and hostile ones. */
import fc, { type Arbitrary } from 'fast-check'
import { anyText } from '../../../support/any-text.ts'

/** The keywords that the service's schemas use. */
export interface Schema {
  type?: string | string[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  enum?: unknown[]
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  examples?: unknown[]
}

/** A placeholder for an existing name: `~products.7~`, the same in every encoding. */
export function known(kind: string): Arbitrary<string> {
  return fc.nat(50).map((place) => `~${kind}.${place}~`)
}

/** Members whose values have to name something that exists. */
const namesOfKnown: Record<string, string> = {
  categoryId: 'categories',
  productId: 'products',
  actorId: 'users',
  tenantId: 'tenantId',
  cursor: 'cursor',
  refreshToken: 'refreshToken',
}

const formats: Record<string, Arbitrary<string>> = {
  uuid: fc.uuid(),
  email: fc.stringMatching(/^[a-z0-9]{1,12}@[a-z0-9]{1,12}\.(com|org)$/),
  password: fc.stringMatching(/^[A-Z][a-z][0-9][!@#$%*?_-][A-Za-z0-9]{4,20}$/),
  'date-time': fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
}

/** Values that the schema accepts, except for rules that only its text states. @param name of the member */
export function validValue(schema: Schema, name = ''): Arbitrary<unknown> {
  const kind = namesOfKnown[name]
  const value = unnamedValue(schema)
  if (name === 'connectionString') return fc.constantFrom(null, 'sqlite:one.db', 'sqlite:two.db', '')
  if (name === 'roles') return fc.constantFrom(['Admin'], ['User'], ['Admin', 'User'])
  if (name === 'url') return fc.constantFrom('http://127.0.0.1:9/hooks', 'http://localhost:9/?a=b') // nobody there
  return kind === undefined ? value : fc.oneof({ weight: 3, arbitrary: known(kind) }, value)
}

function unnamedValue(schema: Schema): Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((choice) => validValue(choice)))
  const types = [schema.type ?? 'string'].flat()
  return fc.oneof(...types.map((type) => typedValue(type, schema)))
}

function typedValue(type: string, schema: Schema): Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textValue(schema)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 })
    case 'number':
      return numberValue(schema)
    case 'boolean':
      return fc.boolean()
    case 'array':
      return arrayValue(schema)
    case 'object':
      return objectValue(schema)
    default:
      return fc.constant(null)
  }
}

function textValue({
  format,
  pattern,
  minLength = 0,
  maxLength = 60,
  examples = [],
}: Schema): Arbitrary<unknown> {
  const fits = (text: string) => text.trim().length >= minLength && text.length <= maxLength
  const free =
    formats[format ?? ''] ?? (pattern ? fc.stringMatching(new RegExp(pattern)) : anyText(maxLength))
  const own = free.map((text) => (fits(text) ? text : 'Abc-123456'.slice(0, maxLength)))
  if (examples.length === 0) return own
  // After a few wrong passwords a user has to wait.
  const weight = format === 'password' ? 1 : 5
  return fc.oneof({ weight, arbitrary: own }, fc.constantFrom(...examples))
}

/** Amounts have at most four decimals, which only the text of the schema states. */
function numberValue({ minimum = -1000, maximum = 1000 }: Schema): Arbitrary<number> {
  const whole = fc.integer({ min: Math.ceil(minimum), max: Math.min(maximum, 2 ** 31 - 1) })
  const decimal = fc.nat(2 ** 31 - 1).map((tenThousandths) => Math.min(tenThousandths / 10_000, maximum))
  return fc.oneof(whole, decimal, fc.constantFrom(minimum, maximum))
}

function arrayValue({
  items = {},
  minItems = 0,
  maxItems = 5,
  uniqueItems = false,
}: Schema): Arbitrary<unknown[]> {
  const limits = { minLength: minItems, maxLength: Math.min(maxItems, 10) }
  return uniqueItems ? fc.uniqueArray(validValue(items), limits) : fc.array(validValue(items), limits)
}

function objectValue({ properties = {}, required = [] }: Schema): Arbitrary<Record<string, unknown>> {
  const members = Object.entries(properties).map(
    ([name, member]) => [name, validValue(member, name)] as const,
  )
  return fc.record(Object.fromEntries(members), { requiredKeys: required })
}

const deep = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown

/** JSON values that a schema rarely accepts. */
export const hostileValue: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, true, false, 0, -1, 0.1, -0.00001, 1e21, 1e300, -1e300, 5e-324, 2 ** 53, 99_999_999_999.99995],
    ...[
      '',
      ' ',
      '\0',
      'a\0b',
      '\ud800',
      '\udfffx',
      '\u2028',
      '\ufeff',
      '%',
      '_',
      "'",
      "' OR 1=1 --",
      '\\',
      '"',
    ],
    ...[
      '../../etc/passwd',
      '..\\',
      '%2e%2e',
      '<script>alert(1)</script>',
      '$(1)',
      '{{1}}',
      'NaN',
      'null',
      'true',
    ],
    ...['x'.repeat(10_000), '🙂'.repeat(300), 'a\u0301'.repeat(200), '1e400', '-0', 'urn:uuid:x', 'İıßς'],
    ...['2026-02-30T25:61:61Z', '0000-00-00T00:00:00Z', '+010000-01-01T00:00:00Z', '[]', '{}', '__proto__'],
    ...[
      [],
      {},
      [null],
      [[]],
      { a: 1 },
      { length: -1 },
      { toString: null },
      [1, 'a', {}],
      deep(50),
      deep(5000),
    ],
  ),
  anyText(300),
  fc.jsonValue({ maxDepth: 3 }),
  fc.double(),
)

/** A valid value but for one member, which is missing, additional or wrong. */
export function nearlyValidValue(schema: Schema): Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {})
  if (names.length === 0) return fc.oneof(validValue(schema), hostileValue)
  const fault = fc.record({
    name: fc.constantFrom(...names, 'more', 'id', 'version'),
    value: hostileValue,
    drop: fc.nat(4),
  })
  return fc.tuple(objectValue(schema), fault).map(([value, { name, value: wrong, drop }]) => {
    const { [name]: _dropped, ...rest } = value
    return drop === 0 ? rest : { ...rest, [name]: wrong }
  })
}
