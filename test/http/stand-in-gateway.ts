/** Stands in for the WebSocket of GraphQL, before a real service that answers everything else. */
import { EventEmitter, on } from 'node:events'
import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildSchema } from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'

const schema = buildSchema(`
  type Query { id: ID }
  type Subscription { onOrderCreated: Order! }
  type Order { id: ID!  total: Float! }
`)

export interface StandIn extends AsyncDisposable {
  url: string
  pushOrder(order: object): void
  /** Closes every WebSocket. */
  close(code: number, reason: string): void
}

export async function startStandIn(serviceUrl: string): Promise<StandIn> {
  const orders = new EventEmitter()
  const server = createServer((request, reply) => {
    const { method = 'GET', url = '', headers } = request
    const passed = sendRequest(new URL(url, serviceUrl), { method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(reply)
    })
    request.pipe(passed)
  })
  const sockets = new WebSocketServer({ server, path: '/graphql' })
  const context = async ({ connectionParams }: { connectionParams?: Record<string, unknown> }) => {
    const { authorization, tenant } = connectionParams ?? {}
    const headers = { authorization: `${authorization}`, 'x-tenant-id': `${tenant}` }
    return (await fetch(`${serviceUrl}/api/auth/me`, { headers })).json() as Promise<{ message?: string }>
  }
  const onOrderCreated = async function* (_: object, { message }: { message?: string }) {
    if (message !== undefined) throw new Error(message)
    for await (const [order] of on(orders, 'order')) yield { onOrderCreated: order }
  }
  useServer({ schema, context, roots: { subscription: { onOrderCreated } } }, sockets)
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
