/** Requests built to cost as much as possible, each with the code of its refusal. */
export interface HostileRequest {
  query: string
  operationName?: string
  variables?: Record<string, unknown>
  /** `null` if the request is allowed after all, and is answered. */
  code: string | null
}

const tooMuch = 'HC0047'
const invalid = 'GRAPHQL_VALIDATION_FAILED'
const syntax = 'HC0014'
const badValue = 'HC0016'

const nesting: Record<string, HostileRequest> = {
  'selections in selections': { query: nested('{ category ', 5000, ' }'), code: tooMuch },
  'selections as deep as may be parsed': {
    query: `{ __type(name: "Query") ${nested('{ ofType ', 90, ' }', '{ name }')} }`,
    code: tooMuch,
  },
  'lists in lists': { query: `{ products(where: ${nested('[', 20_000, ']')}) { id } }`, code: tooMuch },
  'objects in objects': {
    query: `{ products(where: ${nested('{ and: ', 95, ' }', '{}')}) { id } }`,
    code: null,
  },
  'conditions in conditions, as deep as may be parsed': {
    query: `{ products(where: ${nested('{ or: [{ price: { eq: 1 } }, ', 47, '] }', '{ price: { eq: 2 } }')}) { id } }`,
    code: null,
  },
  'types in types': { query: `query ($a: ${nested('[', 20_000, ']', 'Int')}) { __typename }`, code: tooMuch },
  'brackets that never close': { query: '{'.repeat(90_000), code: tooMuch },
  'inline fragments in each other': { query: `{ ${nested('... { ', 90, ' }', '__typename')} }`, code: null },
}

const masses: Record<string, HostileRequest> = {
  'very many aliases': { query: `{ ${many(2000, (i) => `a${i}: __typename`)} }`, code: tooMuch },
  'very many lists': { query: `{ ${many(200, (i) => `a${i}: products { id }`)} }`, code: tooMuch },
  'very many fields that there are not': { query: `{ ${many(990, (i) => `nothing${i}`)} }`, code: invalid },
  'more fields than there may be, none of which there is': {
    query: `{ ${many(3500, (i) => `nothing${i}`)} }`,
    code: tooMuch,
  },
  'more aliases than there may be, of fields that there are not': {
    query: `{ ${many(900, (i) => `a${i}: nothing`)} }`,
    code: tooMuch,
  },
  'very many types that there are not': {
    query: `query (${many(190, (i) => `$v${i}: Nothing${i}`)}) { __typename }`,
    code: invalid,
  },
  'very many arguments that there are not': {
    query: `{ products(${many(1300, (i) => `a${i}: ${i}`)}) { id } }`,
    code: invalid,
  },
  'very many members that there are not': {
    query: `{ products(where: { ${many(1300, (i) => `a${i}: ${i}`)} }) { id } }`,
    code: badValue,
  },
  'very many directives': { query: `{ __typename ${'@skip(if: false) '.repeat(1300)} }`, code: tooMuch },
  'very many directives that there are not': {
    query: `{ __typename ${many(3500, (i) => `@nothing${i}`)} }`,
    code: tooMuch,
  },
  'very many operations': { query: many(1500, (i) => `query q${i} { __typename }`), code: tooMuch },
  'very many operations of one name': { query: many(99, () => 'query q { __typename }'), code: invalid },
  'very many variables': {
    query: `query (${many(1900, (i) => `$v${i}: Int`)}) { __typename }`,
    code: tooMuch,
  },
  'one variable again and again': {
    query: `query (${many(199, () => '$v: Int')}) { __typename }`,
    code: invalid,
  },
}

const fragments: Record<string, HostileRequest> = {
  'fragments that double': {
    query: `{ products { ...f0 } } ${many(40, (i) => `fragment f${i} on Product { ...f${i + 1} ... { ...f${i + 1} } }`)} fragment f40 on Product { id }`,
    code: null,
  },
  'fragments that double below a field each': {
    query: `{ __type(name: "Query") { ...f0 } } ${many(40, (i) => `fragment f${i} on __Type { a: ofType { ...f${i + 1} } b: ofType { ...f${i + 1} } }`)} fragment f40 on __Type { name }`,
    code: tooMuch,
  },
  'fragments that each spread many others': {
    query: `{ products { ...f0 } } ${many(99, (i) => `fragment f${i} on Product { id ${many(16, (j) => (i + j < 98 ? `...f${i + j + 1}` : ''))} }`)}`,
    code: null,
  },
  'a fragment in itself': { query: '{ products { ...f } } fragment f on Product { ...f }', code: invalid },
  'a circle of fragments': {
    query: `{ products { ...f0 } } ${many(90, (i) => `fragment f${i} on Product { ...f${(i + 1) % 90} }`)}`,
    code: invalid,
  },
  'very many fragments': {
    query: `{ __typename } ${many(300, (i) => `fragment f${i} on Product { id }`)}`,
    code: tooMuch,
  },
  'operations that share large fragments': {
    query: `${many(48, () => 'query { products { ...f0 } }')} ${many(48, (i) => `fragment f${i} on Product { ${'id '.repeat(18)} ...f${i + 1} }`)} fragment f48 on Product { id }`,
    code: invalid,
  },
  'operations that share fragments of fragments': {
    query: `${many(48, (i) => `query q${i} { products { ...f0 } }`)} ${many(48, (i) => `fragment f${i} on Product { ${'...g '.repeat(30)} ...f${i + 1} }`)} fragment f48 on Product { id } fragment g on Product { id }`,
    operationName: 'q0',
    code: null,
  },
}

const merging: Record<string, HostileRequest> = {
  'one field again and again': { query: `{ products { ${'id '.repeat(2500)} } }`, code: tooMuch },
  'one field again and again with arguments': {
    query: `{ ${many(220, () => 'products(where: { name: { eq: "a" } }) { id }')} }`,
    code: null,
  },
  'one field again and again with other arguments': {
    query: `{ ${many(220, (i) => `products(where: { price: { eq: ${i} } }) { id }`)} }`,
    code: invalid,
  },
  'one field again and again with sets in it': {
    query: `{ ${many(60, () => `products { ${many(15, () => 'category { id name }')} }`)} }`,
    code: tooMuch,
  },
  'inline fragments by the hundred': { query: `{ ${'... { __typename } '.repeat(990)} }`, code: null },
  'relations of relations': {
    query: `{ orders(first: 50) { nodes { ${many(10, (i) => `a${i}: items { product { category { id } } }`)} } } }`,
    code: tooMuch,
  },
}

const texts: Record<string, HostileRequest> = {
  'nothing but commas': { query: ','.repeat(900_000), code: tooMuch },
  'nothing but commas, as many as may be read': { query: ','.repeat(100_000), code: syntax },
  'nothing but comments': { query: '#\n'.repeat(50_000), code: tooMuch },
  'nothing but comments, as many as may be read': { query: '#\n'.repeat(4990), code: syntax },
  'faults behind very many lines': { query: `{ ${'\n'.repeat(90_000)} a b c d e }`, code: tooMuch },
  'faults behind as many lines as may be read': {
    query: `{ ${'\r\n'.repeat(4990)} a b c d e }`,
    code: invalid,
  },
  'a very long name': { query: `{ ${'a'.repeat(90_000)} }`, code: invalid },
  'a very long text': {
    query: `{ products(where: { name: { eq: "${'a'.repeat(900_000)}" } }) { id } }`,
    code: tooMuch,
  },
  'a text with very many escapes': {
    query: `{ products(where: { name: { eq: "${'\\u00e4'.repeat(16_000)}" } }) { id } }`,
    code: null,
  },
  'a block of very many lines': {
    query: `{ products(where: { name: { eq: """${' \n'.repeat(4900)}""" } }) { id } }`,
    code: null,
  },
  'a block of escapes': {
    query: `{ products(where: { name: { eq: """${'\\"""'.repeat(24_000)}""" } }) { id } }`,
    code: null,
  },
  'a text that does not end': {
    query: `{ products(where: { name: { eq: "${'a'.repeat(90_000)}`,
    code: syntax,
  },
  'a very long number': {
    query: `{ products(where: { price: { eq: ${'9'.repeat(90_000)} } }) { id } }`,
    code: badValue,
  },
  'a very long list of values': {
    query: `{ products(where: { price: { in: [${'1 '.repeat(3950)}] } }) { id } }`,
    code: null,
  },
}

const variables: Record<string, HostileRequest> = {
  'a very long list in a variable': { ...byWhere({ price: { in: Array(400_000).fill(1) } }), code: tooMuch },
  'a list of wrong values in a variable': {
    ...byWhere({ price: { in: Array(4900).fill('x') } }),
    code: badValue,
  },
  'a list as long as may be': { ...byWhere({ name: { in: listOf(4900, (i) => `name ${i}`) } }), code: null },
  'very many conditions in a variable': {
    ...byWhere({ and: listOf(1600, (i) => ({ price: { eq: i } })) }),
    code: tooMuch,
  },
  'very many objects in a variable': { ...byWhere({ and: listOf(30_000, () => ({})) }), code: tooMuch },
  'very many members that there are not in a variable': {
    ...byWhere(Object.fromEntries(listOf(4900, (i) => [`a${i}`, i]))),
    code: badValue,
  },
  'sort keys by the thousand': {
    query: 'query ($o: [ProductSortInput!]) { products(order: $o) { id } }',
    variables: { o: listOf(2400, () => ({ name: 'ASC' })) },
    code: null,
  },
}

const introspection: Record<string, HostileRequest> = {
  'types of fields of types': {
    query: `{ __schema { types ${nested('{ fields { type ', 8, ' } }', '{ name }')} } }`,
    code: invalid,
  },
  'types of types': {
    query: `{ __schema { types { fields { type ${nested('{ ofType ', 20, ' }', '{ name }')} } } } }`,
    code: tooMuch,
  },
  'the schema again and again': {
    query: `{ ${many(190, (i) => `a${i}: __schema { types { name fields { name args { name } } } }`)} }`,
    code: tooMuch,
  },
  'all types again and again': {
    query: `{ __schema { ${many(190, (i) => `a${i}: types { name fields { name args { name } } }`)} } }`,
    code: tooMuch,
  },
}

export const hostileRequests: Record<string, HostileRequest> = {
  ...nesting,
  ...masses,
  ...fragments,
  ...merging,
  ...texts,
  ...variables,
  ...introspection,
}

function byWhere(where: object): Omit<HostileRequest, 'code'> {
  return { query: 'query ($w: ProductFilterInput) { products(where: $w) { id } }', variables: { w: where } }
}

function listOf<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_value, index) => make(index))
}

function many(count: number, render: (index: number) => string): string {
  return listOf(count, render).join(' ')
}

function nested(open: string, depth: number, close: string, inside = ''): string {
  return `${open.repeat(depth)}${inside}${close.repeat(depth)}`
}
