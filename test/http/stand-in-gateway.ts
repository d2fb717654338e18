/** Stands in for the GraphQL gateway: before a real service, which answers everything but `/graphql` itself. */
import { EventEmitter, on } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  buildSchema,
  type GraphQLSchema,
  graphql,
  NoSchemaIntrospectionCustomRule,
  parse,
  validate,
} from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'

const schema = buildSchema(`
  scalar UUID
  scalar Decimal
  type Query { products(where: ProductFilterInput, order: [ProductSortInput!]): [Product!]!  me: User! }
  type Subscription { onOrderCreated: Order! }
  "What can be ordered."
  type Product { id: UUID!  name: String!  price: Decimal!  category: Category }
  type Category { name: String! }
  type User { userName: String! }
  type Order { id: UUID!  total: Decimal! }
  input ProductFilterInput { price: DecimalOperationFilterInput }
  input DecimalOperationFilterInput { gt: Decimal }
  input ProductSortInput { name: SortEnumType }
  enum SortEnumType { ASC DESC }
`)

export interface StandIn extends AsyncDisposable {
  url: string
  pushOrder(order: object): void
  /** Closes every WebSocket. */
  close(code: number, reason: string): void
}

export async function startStandIn(serviceUrl: string, introspection = true): Promise<StandIn> {
  const orders = new EventEmitter()
  const ask = async (path: string, headers: Record<string, string>) =>
    (await fetch(`${serviceUrl}${path}`, { headers })).json() as Promise<{ message?: string }>
  const rootValue = (headers: Record<string, string>) => ({
    products: () => ask('/api/products', headers),
    me: async () => {
      const answer = await ask('/api/auth/me', headers)
      if (answer.message !== undefined) throw new Error(answer.message)
      return answer
    },
    onOrderCreated: async function* () {
      const answer = await ask('/api/auth/me', headers)
      if (answer.message !== undefined) throw new Error(answer.message)
      for await (const [onOrderCreated] of on(orders, 'order')) yield { onOrderCreated }
    },
  })
  const server = createServer((request, reply) => {
    const answer = request.url === '/graphql' ? answerQuery : passOn
    answer(request, reply).catch((error) => reply.destroy(error))
  })
  async function answerQuery(request: IncomingMessage, reply: ServerResponse) {
    const { query, variables, operationName } = JSON.parse(await textOf(request))
    const { authorization = '', 'x-tenant-id': tenant = '' } = request.headers
    const headers = { authorization, 'x-tenant-id': String(tenant) }
    const faults = introspection ? [] : validate(schema, parse(query), [NoSchemaIntrospectionCustomRule])
    const result =
      faults.length > 0
        ? { errors: faults }
        : await graphql({
            schema,
            source: query,
            variableValues: variables,
            operationName,
            rootValue: rootValue(known(headers)),
          })
    reply.setHeader('content-type', 'application/json').end(JSON.stringify(result))
  }
  async function passOn(request: IncomingMessage, reply: ServerResponse) {
    const answer = await fetch(`${serviceUrl}${request.url}`)
    for (const name of ['content-type', 'content-security-policy'])
      reply.setHeader(name, answer.headers.get(name) ?? '')
    reply.writeHead(answer.status).end(await answer.text())
  }
  const sockets = new WebSocketServer({ server, path: '/graphql' })
  useServer(
    {
      schema: schema as GraphQLSchema,
      roots: {},
      onSubscribe: (context, _id, payload) => {
        const { authorization, tenant } = (context.connectionParams ?? {}) as Record<string, string>
        const headers = { authorization: authorization ?? '', 'x-tenant-id': tenant ?? '' }
        return {
          schema,
          document: parse(payload.query),
          operationName: payload.operationName,
          variableValues: payload.variables,
          rootValue: rootValue(known(headers)),
        }
      },
    },
    sockets,
  )
  await new Promise<void>((listening) => server.listen(0, listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    pushOrder: (order) => orders.emit('order', order),
    close: (code, reason) => {
      for (const client of sockets.clients) client.close(code, reason)
    },
    async [Symbol.asyncDispose]() {
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function known(headers: Record<string, string>) {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += part
  return text
}
