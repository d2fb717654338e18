/** Further scalar types. The database renders rows, so values are only read here. */
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql'
import { isDay, toTimestamp } from '../../../core/date.ts'
import { isUuid } from '../../../core/id.ts'

export const uuidScalar = textScalar('UUID', 'A UUID in its text form (RFC 9562).', (text) =>
  isUuid(text) ? text.toLowerCase() : null,
)

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

export const dateTimeScalar = textScalar(
  'DateTime',
  'A date and time with an offset, in milliseconds (RFC 3339).',
  (text) => (rfc3339.test(text) ? toTimestamp(text) : null),
)

export const dateScalar = textScalar('Date', 'A day without a time (RFC 3339, full-date).', (text) => {
  return isDay(text) ? text : null
})

export const jsonScalar = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  description: 'Any JSON value; its shape is that of the REST document.',
})

export const decimalScalar = new GraphQLScalarType<number, number>({
  name: 'Decimal',
  description: 'An exact decimal number. Amounts have at most 15 digits, 4 of them decimals.',
  parseValue: (value) => {
    if (typeof value === 'number' && Number.isFinite(value)) return value
    throw new GraphQLError('Decimal must be a number.')
  },
  parseLiteral: (node) => {
    const value = node.kind === Kind.INT || node.kind === Kind.FLOAT ? Number(node.value) : Number.NaN
    if (Number.isFinite(value)) return value
    throw new GraphQLError('Decimal must be a number.', { nodes: node })
  },
})

/** @param read returns the text as stored, or `null` for a value of another type */
function textScalar(name: string, description: string, read: (text: string) => string | null) {
  const parse = (value: unknown, nodes: readonly ValueNode[]): string => {
    const text = typeof value === 'string' ? read(value) : null
    if (text === null) throw new GraphQLError(`The value is not a valid ${name}.`, { nodes })
    return text
  }
  return new GraphQLScalarType<string, string>({
    name,
    description,
    parseValue: (value) => parse(value, []),
    parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : null, [node]),
  })
}
