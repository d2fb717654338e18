/** GraphQL operations that cost more than their text suggests. */
import { createHash, randomBytes } from 'node:crypto'
import { bearer, requestBytes, tenantHeader } from '../../support/http/request-bytes.ts'
import type { Attack, Front } from '../front.ts'
import { type Hammer, hammer } from '../hammer.ts'

const path = '/graphql'

export const graphqlAttacks: Attack[] = [
  { name: 'graphql-aliases-8x6', start: (front) => askFilled(front, lists(8, 6)) },
  { name: 'graphql-aliases-4x4', start: (front) => askFilled(front, lists(4, 4)) },
  { name: 'graphql-aliases-1x3', start: (front) => askFilled(front, lists(1, 3)) },
  { name: 'graphql-waiting', start: (front) => askFilled(front, lists(4, 1), { connections: 600 }) },
  {
    name: 'graphql-contains-1',
    start: (front) => askFilled(front, manyContains(185), { connections: 1 }),
  },
  { name: 'graphql-contains-12', start: (front) => askFilled(front, manyContains(185)) },
  {
    name: 'graphql-sort',
    start: (front) => askFilled(front, '{ products(order: [{ description: DESC }, { name: ASC }]) { id } }'),
  },
  { name: 'graphql-nested-filter', start: (front) => askFilled(front, nestedFilter(40)) },
  {
    name: 'graphql-total-count',
    start: (front) => askAsUser(front, `{ ${aliases(20, 'orders(first: 50) { totalCount nodes { id } }')} }`),
  },
  {
    name: 'graphql-mutations',
    start: (front) =>
      askAsUser(front, `mutation { ${aliases(40, 'createProduct(input: { name: "x", price: 1 }) { id }')} }`),
  },
  { name: 'graphql-documents', start: askRandomDocuments },
  { name: 'graphql-hashes', start: askByHash },
  { name: 'graphql-variables', start: askWithManyValues },
  {
    name: 'graphql-introspection',
    start: (front) =>
      askFilled(front, `{ __schema { types { name ${'fields { name type { name } } '.repeat(1)} } } }`),
  },
]

/** `roots` lists of all products, each with so many aliases of their long descriptions. */
export function lists(roots: number, each: number): string {
  return `{ ${aliases(roots, `products { ${aliases(each, 'description')} }`)} }`
}

function aliases(count: number, field: string): string {
  return Array.from({ length: count }, (_each, index) => `a${index}: ${field}`).join(' ')
}

export function manyContains(count: number): string {
  const conditions = Array.from(
    { length: count },
    (_each, index) => `{ description: { contains: "q${index}" } }`,
  )
  return `{ products(where: { or: [${conditions.join(', ')}] }) { id } }`
}

function nestedFilter(depth: number): string {
  const opened = '{ and: [{ name: { contains: "D" } }, { or: ['.repeat(depth)
  return `{ products(where: ${opened}{ price: { gte: 0 } }${'] }] }'.repeat(depth)}) { id } }`
}

function askFilled(front: Front, query: string, options: Partial<Hammer> = {}): void {
  const request = requestBytes({ path, headers: tenantHeader(front.target.filled), body: { query } })
  hammer(front, { ...options, next: () => request })
}

function askAsUser(front: Front, query: string): void {
  const request = requestBytes({ path, headers: bearer(front.target.hostile.user), body: { query } })
  hammer(front, { next: () => request })
}

/** Each is new to the service, nearly as large as a document may be, and thrown away by it. */
function askRandomDocuments(front: Front): void {
  const headers = tenantHeader(front.target.filled)
  const fields = Array.from({ length: 2000 }, () => 'products { id name }')
    .join(' ')
    .slice(0, 15_000)
  const padding = ' '.repeat(80_000)
  hammer(front, {
    perSecond: 200,
    next: (turn) => {
      const kinds = [
        `{ a${turn}: __typename ${'b: __typename '.repeat(1900)} }`,
        `{ a${turn}: __typename ${padding} }`,
        `{ ${fields}`,
        `{ ${Array.from({ length: 199 }, (_each, index) => `a${turn}x${index}: products { id }`).join(' ')} }`,
        `query Q${turn} { ...f } ${Array.from({ length: 98 }, (_each, index) => `fragment f${index === 0 ? '' : index} on Query { ...f${index + 1} ...f${index + 1} }`).join(' ')} fragment f98 on Query { __typename }`,
      ]
      return requestBytes({ path, headers, body: { query: kinds[turn % kinds.length] } })
    },
  })
}

/** Hashes that nobody knows, and documents that take the place of others in the memory of the service. */
function askByHash(front: Front): void {
  const headers = tenantHeader(front.target.filled)
  const asking = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } })
  hammer(front, {
    next: (turn) => {
      if (turn % 2 === 0) {
        return requestBytes({ path, headers, body: asking(randomBytes(32).toString('hex')) })
      }
      const query = `{ a${turn}${randomBytes(8).toString('hex')}: __typename }`
      const hash = createHash('sha256').update(query).digest('hex')
      return requestBytes({ path, headers, body: { query, ...asking(hash) } })
    },
  })
}

function askWithManyValues(front: Front): void {
  const query =
    'query($ids: [UUID], $where: ProductFilterInput!) { products(where: { and: [{ id: { in: $ids } }, $where] }) { id } }'
  const id = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
  const request = (variables: object) =>
    requestBytes({ path, headers: tenantHeader(front.target.filled), body: { query, variables } })
  let deep: object = { name: { eq: 'x' } }
  for (let depth = 0; depth < 5000; depth++) deep = { and: [deep] }
  const requests = [
    request({ ids: Array(4900).fill(id), where: {} }),
    request({ ids: Array(25_000).fill(id), where: {} }),
    request({ ids: [], where: deep }),
    request({ ids: Array(400_000).fill(0), where: {} }),
  ]
  hammer(front, { perSecond: 50, next: (turn) => requests[turn % requests.length] ?? Buffer.alloc(0) })
}
