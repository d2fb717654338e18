/** Scalars beyond those of the language. Rows are rendered by the database, so they are only read here. */
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql'
import { isUuid } from '../../../core/id.ts'

export const uuidScalar = textScalar('UUID', 'A UUID in its usual form (RFC 9562).', (text) =>
  isUuid(text) ? text.toLowerCase() : null,
)

export const dateTimeScalar = textScalar(
  'DateTime',
  'A moment in ISO 8601 with an offset, exact to the millisecond (RFC 3339).',
  (text) => {
    if (!/^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text)) return null
    const moment = new Date(text)
    return Number.isNaN(moment.getTime()) ? null : moment.toISOString()
  },
)

export const decimalScalar = new GraphQLScalarType<number, number>({
  name: 'Decimal',
  description: 'An exact decimal number; amounts have at most 15 digits, 4 of them decimals.',
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

/** @param read gives the text as it is compared with what is stored, or `null` for what is not of the type */
function textScalar(name: string, description: string, read: (text: string) => string | null) {
  const parse = (value: unknown, nodes: readonly ValueNode[]): string => {
    const text = typeof value === 'string' ? read(value) : null
    if (text === null) throw new GraphQLError(`${name} cannot be read from this value.`, { nodes })
    return text
  }
  return new GraphQLScalarType<string, string>({
    name,
    description,
    parseValue: (value) => parse(value, []),
    parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : null, [node]),
  })
}
