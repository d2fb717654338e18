/** A service whose tenant has exactly as many rows as the compared requests answer. */
import { expectJson, mapAtOnce, type Send } from '../client.ts'
import type { LoadRequest } from '../load/job.ts'
import type { Side } from '../row/turns.ts'
import { initialize, type RunningService, startService } from '../service.ts'

export interface Stage {
  service: RunningService
  send: Send
  token: string
  productIds: string[]
}

export const products = 50
const categories = 5
const orders = 50
const itemsOfOrder = 3

export async function openStage(settings: Record<string, string> = {}): Promise<Stage> {
  const service = await startService(settings)
  const { send, token } = await initialize(service.url)
  const create = async (path: string, bodies: object[]) => {
    const made = await mapAtOnce(bodies, 8, (body) =>
      expectJson<{ id: string }>(send('POST', path, body), 201),
    )
    return made.map(({ id }) => id)
  }
  const names = Array.from({ length: categories }, (_, index) => ({ name: `Desks of kind ${index}` }))
  const categoryIds = await create('/api/categories', names)
  const productIds = await create(
    '/api/products',
    Array.from({ length: products }, (_, index) => ({
      name: `Walnut desk ${index}`,
      description: `A desk of solid walnut with drawers on both sides, number ${index} of its kind.`,
      price: (1 + index) * 1.25,
      categoryId: categoryIds[index % categories],
    })),
  )
  const order = (index: number) => ({
    customerId: `customer-${index}`,
    items: Array.from({ length: itemsOfOrder }, (_, item) => ({
      productId: productIds[(index + item) % products],
      quantity: 1 + item,
    })),
  })
  await create(
    '/api/orders',
    Array.from({ length: orders }, (_, index) => order(index)),
  )
  return { service, send, token, productIds }
}

export function restSide({ service, token }: Stage, paths: string[]): Side {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  const requests = paths.map((path): LoadRequest => ({ method: 'GET', path, headers }))
  return { servers: [service], requests, expectedStatus: 200 }
}

export interface Operation {
  query: string
  variables?: object
}

export function graphqlSide({ service, token }: Stage, operations: Operation[], expectedStatus = 200): Side {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/graphql-response+json',
    'content-type': 'application/json',
  }
  const requests = operations.map(
    (operation): LoadRequest => ({
      method: 'POST',
      path: '/graphql',
      headers,
      body: JSON.stringify(operation),
    }),
  )
  return { servers: [service], requests, expectedStatus }
}

export interface GraphQLAnswer {
  data?: Record<string, unknown>
  errors?: { extensions: { code: string } }[]
}

/** @throws Error unless the answer has the expected status */
export function ask({ send }: Stage, operation: Operation, status = 200): Promise<GraphQLAnswer> {
  const headers = { accept: 'application/graphql-response+json' }
  return expectJson<GraphQLAnswer>(send('POST', '/graphql', operation, headers), status)
}
