/** What both floors share: bare Fastify, and the two shapes that the service has too. */
import Fastify, { type FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { type ProductInput, product } from '../../src/catalog/product/product.ts'

export interface ProductRequests {
  byId: { Params: { id: string } }
  list: { Querystring: { limit: string } }
  create: { Body: ProductInput }
}

/** Fastify's serializer writes the replies from the same schema as in the service. */
export const replies = {
  product: { schema: { response: { 200: product.schemas.row, 201: product.schemas.row } } },
  list: { schema: { response: { 200: Type.Array(product.schemas.row) } } },
}

export function bareServer(): FastifyInstance {
  const app = Fastify({ logger: false })
  app.get('/ready', (_request, reply) => {
    reply.send('ready')
  })
  return app
}

export async function listen(app: FastifyInstance): Promise<void> {
  await app.listen({ port: Number(process.env['PORT']), host: 'localhost' })
  process.once('SIGTERM', () => process.exit(0))
}
