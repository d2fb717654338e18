/** Parse Server: REST and GraphQL over classes, whose tables it makes itself. */
import type { LoadRequest } from '../load/job.ts'
import type { Server } from '../process.ts'
import type { Side } from '../row/turns.ts'
import { pageRows, product, rows, variants, type WorkName } from '../speed/works.ts'
import { type Contender, onePage, onePageJoined, type Peer, post, sideOf, startPeer } from './contender.ts'
import { categoryRows, execute, productRows } from './database.ts'

const products = '/parse/classes/Product'
const headers = { accept: 'application/json', 'x-parse-application-id': 'peers' }
const joined = `query ($from: Float!, $to: Float!) {
  products(where: { price: { greaterThanOrEqualTo: $from, lessThan: $to } }, order: price_ASC) {
    edges { node { objectId name price category { name } } }
  }
}`

/** An id is a text of ten characters. */
const fill = `
  INSERT INTO "Category" ("objectId", "createdAt", "updatedAt", name)
    SELECT 'c' || lpad(i::text, 9, '0'), now(), now(), name FROM ${categoryRows};
  INSERT INTO "Product" ("objectId", "createdAt", "updatedAt", name, description, price, "isActive", category)
    SELECT 'p' || lpad(i::text, 9, '0'), now(), now(), name, description, price, true, 'c' || lpad(category::text, 9, '0')
    FROM ${productRows};
  CREATE INDEX ON "Product" (price);
`

export const parse: Peer = {
  name: 'Parse Server',
  packageName: 'parse-server',
  unlike:
    'Its pages are conditions on the id, because it has no cursors. Its reply to a creation has the id, the time and ' +
    'the defaults alone. It names Node.js 24 as the newest that it supports.',
  start,
}

async function start(databaseUrl: string): Promise<Contender> {
  const { server, stop } = await startPeer(['parse.js'], '/parse/health', databaseUrl)
  await execute(databaseUrl, fill)
  return { name: parse.name, server, works: worksOf(server), stop }
}

function worksOf(server: Server): Record<WorkName, Side> {
  const numbers = [...Array(variants).keys()]
  const created = { status: 201, text: '"objectId":' }
  return {
    get: sideOf(
      server,
      numbers.map((index) => read(`${products}/${idOf(index * pageRows)}`)),
    ),
    list: sideOf(
      server,
      numbers.map((index) => {
        const where = { objectId: { $gte: idOf(index * pageRows) } }
        const query = new URLSearchParams({
          where: JSON.stringify(where),
          order: 'objectId',
          limit: `${pageRows}`,
        })
        return read(`${products}?${query}`)
      }),
      onePage,
    ),
    graphql: sideOf(
      server,
      numbers.map((index) => {
        const variables = { from: index * pageRows, to: (index + 1) * pageRows }
        return post('/graphql', headers, { query: joined, variables })
      }),
      onePageJoined,
    ),
    create: sideOf(
      server,
      numbers.map((index) => post(products, headers, product(rows + index))),
      created,
    ),
  }
}

function read(path: string): LoadRequest {
  return { method: 'GET', path, headers }
}

function idOf(index: number): string {
  return `p${`${index}`.padStart(9, '0')}`
}
