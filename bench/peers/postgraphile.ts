/** PostGraphile: a GraphQL interface made from the tables. */
import { callerOf, expectJson } from '../client.ts'
import type { Server } from '../process.ts'
import type { Side } from '../row/turns.ts'
import { pageRows, product, rows, variants, type WorkName } from '../speed/works.ts'
import { type Contender, onePage, onePageJoined, type Peer, post, sideOf, startPeer } from './contender.ts'
import { categoryRows, execute, productRows } from './database.ts'

const path = '/graphql'
const fields = 'rowId name description price isActive categoryId createdAt updatedAt'
const get = `query ($id: UUID!) { productByRowId(rowId: $id) { ${fields} } }`
const list = `query ($after: Cursor) {
  allProducts(first: ${pageRows}, after: $after) { nodes { ${fields} } pageInfo { hasNextPage endCursor } }
}`
const joined = `query ($after: Cursor) {
  allProducts(first: ${pageRows}, after: $after, orderBy: PRICE_ASC) {
    nodes { rowId name price category: categoryByCategoryId { name } }
  }
}`
const create = `mutation ($product: ProductInput!) {
  createProduct(input: { product: $product }) { product { ${fields} } }
}`

const tables = `
  CREATE TABLE category (id uuid PRIMARY KEY DEFAULT uuidv7(), name text NOT NULL UNIQUE);
  CREATE TABLE product (
    id uuid PRIMARY KEY DEFAULT uuidv7(), name text NOT NULL, description text, price numeric(15,4) NOT NULL,
    is_active boolean NOT NULL DEFAULT true, category_id uuid REFERENCES category,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX ON product (price);
  CREATE INDEX ON product (category_id);
  INSERT INTO category (name) SELECT name FROM ${categoryRows};
  INSERT INTO product (name, description, price, category_id)
    SELECT given.name, description, price, category.id
    FROM ${productRows} JOIN category ON category.name = 'Category ' || given.category ORDER BY i;
`

export const postgraphile: Peer = {
  name: 'PostGraphile',
  packageName: 'postgraphile',
  unlike:
    'It has no REST: its product, list and creation are GraphQL as well. A range of prices needs a plugin, so its ' +
    'fourth request takes the same 50 products by a cursor, in the order of the price. Queries are sent as text, as to ' +
    'the others; its documents recommend persisted operations.',
  start,
}

async function start(databaseUrl: string): Promise<Contender> {
  await execute(databaseUrl, tables)
  const { server, stop } = await startPeer(['postgraphile.js'], '/ready', databaseUrl)
  return { name: postgraphile.name, server, works: await worksOf(server, databaseUrl), stop }
}

async function worksOf(server: Server, databaseUrl: string): Promise<Record<WorkName, Side>> {
  const ids = await execute<{ id: string }>(databaseUrl, 'SELECT id FROM product ORDER BY id')
  const ask = (query: string, variables: object) => post(path, {}, { query, variables })
  const pages = await cursors(server, 'PRIMARY_KEY_ASC')
  const pagesByPrice = await cursors(server, 'PRICE_ASC')
  const numbers = [...Array(variants).keys()]
  return {
    get: sideOf(
      server,
      numbers.map((index) => ask(get, { id: ids[index * pageRows]?.id })),
    ),
    list: sideOf(
      server,
      pages.map((after) => ask(list, { after })),
      onePage,
    ),
    graphql: sideOf(
      server,
      pagesByPrice.map((after) => ask(joined, { after })),
      onePageJoined,
    ),
    create: sideOf(
      server,
      numbers.map((index) => ask(create, { product: product(rows + index) })),
    ),
  }
}

/** Where each page begins, from `null` on. */
async function cursors(server: Server, orderBy: string): Promise<(string | null)[]> {
  const query = `query ($after: Cursor) {
    allProducts(first: ${pageRows}, after: $after, orderBy: ${orderBy}) { pageInfo { endCursor } }
  }`
  const send = callerOf(server.url)
  const found: (string | null)[] = [null]
  while (found.length < variants) {
    const answer = send('POST', path, { query, variables: { after: found.at(-1) } })
    const { data } = await expectJson<{ data: { allProducts: { pageInfo: { endCursor: string } } } }>(
      answer,
      200,
    )
    found.push(data.allProducts.pageInfo.endCursor)
  }
  return found
}
