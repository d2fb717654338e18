/** The four requests whose cost is watched, each in two hundred variants, so that equal answers cannot be shared. */
import { callerOf, expectJson, mapAtOnce } from '../client.ts'
import type { LoadRequest } from '../load/job.ts'
import type { Server } from '../process.ts'
import type { Side } from '../row/turns.ts'

export const workNames = ['get', 'list', 'graphql', 'create'] as const
export type WorkName = (typeof workNames)[number]

export const rows = 10_000
export const variants = 200
export const pageRows = 50

/**
 * Fills the server with products, the first of which has the lowest price.
 * @param categories how many the products have in turn; without any they have none
 */
export async function prepareWorks(
  server: Server,
  token: string,
  categories = 0,
): Promise<Record<WorkName, Side>> {
  const authorization = `Bearer ${token}`
  const send = callerOf(server.url, { authorization })
  const make = (path: string, count: number, bodyOf: (index: number) => object) =>
    mapAtOnce([...Array(count).keys()], 32, async (index) => {
      const { id } = await expectJson<{ id: string }>(send('POST', path, bodyOf(index)), 201)
      return id
    })
  const categoryIds = await make('/api/categories', categories, (index) => ({ name: `Category ${index}` }))
  const made = await make('/api/products', rows, (index) =>
    categories === 0 ? product(index) : { ...product(index), categoryId: categoryIds[index % categories] },
  )
  const ids = made.toSorted()
  const headers = { authorization, accept: 'application/json' }
  const bodyHeaders = { ...headers, 'content-type': 'application/json' }
  const query =
    'query ($from: Decimal!, $to: Decimal!) { products(where: { price: { gte: $from, lt: $to } }, order: { price: ASC }) { id name price category { name } } }'
  const side = (requests: LoadRequest[], expectedStatus = 200): Side => ({
    servers: [server],
    requests,
    expectedStatus,
  })
  const numbers = [...Array(variants).keys()]
  return {
    get: side(
      numbers.map((index) => ({ method: 'GET', path: `/api/products/${ids[index * pageRows]}`, headers })),
    ),
    list: side(await pages(server.url, headers)),
    graphql: side(
      numbers.map((index) => {
        const variables = { from: index * pageRows, to: (index + 1) * pageRows }
        return {
          method: 'POST',
          path: '/graphql',
          headers: bodyHeaders,
          body: JSON.stringify({ query, variables }),
        }
      }),
    ),
    create: side(
      numbers.map((index) => {
        const body = JSON.stringify(product(rows + index))
        return { method: 'POST', path: '/api/products', headers: bodyHeaders, body }
      }),
      201,
    ),
  }
}

/** Follows the links from page to page; a server without links has one page. */
async function pages(url: string, headers: Record<string, string>): Promise<LoadRequest[]> {
  const found: LoadRequest[] = []
  for (
    let path: string | null = `/api/products?limit=${pageRows}`;
    path !== null && found.length < variants;
  ) {
    found.push({ method: 'GET', path, headers })
    const reply: Response = await fetch(`${url}${path}`, { headers })
    await reply.arrayBuffer()
    path = /<([^>]+)>/.exec(reply.headers.get('link') ?? '')?.[1] ?? null
  }
  return found
}

export function product(index: number) {
  const description = `A desk of solid walnut with drawers on both sides, number ${index} of its kind.`
  return { name: `Walnut desk ${index}`, description, price: index }
}
