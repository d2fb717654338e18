/** GraphQL over WebSocket: the protocol `graphql-transport-ws`, at the address of the gateway. */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { type FormattedExecutionResult, GraphQLError } from 'graphql'
import { CloseCode, type ConnectionInitMessage, handleProtocols, makeServer } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { ServiceError } from '../../errors.ts'
import { callerFinder } from '../../http/proxy.ts'
import { Connection, type ConnectionParts } from './connection.ts'
import { isOurOrigin } from './origin.ts'

export interface WebSocketParts extends ConnectionParts {
  trustProxy: boolean | string[]
  corsOrigins: readonly string[]
  messageLimitBytes: number
}

const path = '/graphql'
/** Until a connection has said who it is. */
const initWithinMs = 3000
const pingEveryMs = 12_000
/** What a client may leave unread. */
const mostBufferedBytes = 1024 * 1024
const goingAway = 1001
/** How long a stop waits for queries and mutations, and then for clients to say that they close too. */
const finishWithinMs = 400
const closeWithinMs = 400
const pollMs = 10
const mostReasonChars = 100

/** For the option of the same name of the HTTP server: everything else is answered as if nothing were to be upgraded. */
export function shouldUpgrade({ url = '', headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && url.split('?')[0] === path
}

/** @returns ends all connections */
export function acceptWebSockets(server: Server, parts: WebSocketParts): () => Promise<void> {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: parts.messageLimitBytes,
    handleProtocols: (protocols) => handleProtocols(protocols),
  })
  const connections = new Map<WebSocket, Connection>()
  const protocol = createProtocol(parts)
  const callerOf = callerFinder(parts.trustProxy)
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { headers, url = '' } = request
    const caller = callerOf(request)
    if (!isOurOrigin(headers.origin, caller.host, parts.corsOrigins)) return forbid(socket)
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = new Connection({ ...caller, headers, url }, parts)
      connections.set(webSocket, connection)
      webSocket.once('close', () => connections.delete(webSocket))
      open(protocol, webSocket, connection)
    })
  })
  return async () => {
    const closed = new Promise((resolve) => sockets.close(resolve))
    await Promise.all([...connections].map(([socket, connection]) => closeWhenDone(socket, connection)))
    await closed
  }
}

/** Whoever waits for an answer gets it, unless that takes long. */
async function closeWhenDone(socket: WebSocket, connection: Connection): Promise<void> {
  const latest = performance.now() + finishWithinMs
  while (connection.isBusy && performance.now() < latest) await delay(pollMs)
  socket.close(goingAway, 'Going away')
  setTimeout(() => socket.terminate(), closeWithinMs).unref()
}

/** Nobody else looks after the socket from here on: its errors, and its end when the client does not close. */
function forbid(socket: Duplex): void {
  socket.on('error', () => socket.destroy())
  socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () => {
    socket.destroy()
  })
}

interface Extra extends Record<PropertyKey, unknown> {
  connection: Connection
  socket: WebSocket
}

type Protocol = ReturnType<typeof createProtocol>

function createProtocol({ gateway }: WebSocketParts) {
  return makeServer<ConnectionInitMessage['payload'], Extra>({
    connectionInitWaitTimeout: initWithinMs,
    onConnect: async ({ connectionParams, extra: { connection, socket } }) => {
      try {
        await connection.enter(connectionParams ?? {}, () => {
          socket.close(CloseCode.Unauthorized, 'The token is no longer valid')
        })
        return true
      } catch (error) {
        dismiss(socket, error)
        return false
      }
    },
    // A token can be renewed in band, because a connection is initialised only once.
    onPing: async ({ extra: { connection, socket } }, payload) => {
      const isRenewed = await connection.renew(payload ?? {})
      if (!isRenewed) socket.close(CloseCode.Unauthorized, 'The token is not valid')
    },
    onSubscribe: async ({ extra: { connection, socket } }, _id, payload) => {
      const { query, operationName, variables, extensions } = payload
      const asked = { query, documentId: null, operationName: operationName ?? null }
      const given = { variables: variables ?? {}, extensions: extensions ?? {} }
      try {
        return await connection.begin({ ...asked, ...given })
      } catch (error) {
        return [dismiss(socket, error)]
      }
    },
    execute: ({ contextValue }) => Connection.run(contextValue),
    subscribe: ({ contextValue }) => Connection.follow(contextValue),
    // What the gateway gives is ready to be sent.
    onNext: (_context, _id, _payload, _args, result) => result as FormattedExecutionResult,
    schema: gateway.api.schema,
  })
}

/** @returns the same, for whom it is of use @throws what is no reason to dismiss anybody */
function dismiss(socket: WebSocket, error: unknown): GraphQLError {
  if (!(error instanceof ServiceError)) throw error
  const code = error.kind === 'unauthorized' ? CloseCode.Unauthorized : CloseCode.Forbidden
  socket.close(code, error.message.slice(0, mostReasonChars))
  return new GraphQLError(error.message)
}

function open(protocol: Protocol, socket: WebSocket, connection: Connection): void {
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (text) => send(socket, text),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (listener) => {
        socket.on('message', (data) => {
          if (socket.readyState !== socket.OPEN) return // it was told to go, and does not
          listener(String(data)).catch((error: unknown) => {
            connection.report(error)
            socket.close(CloseCode.InternalServerError, 'Internal server error')
          })
        })
      },
    },
    { socket, connection },
  )
  const stopPinging = ping(socket)
  socket.on('error', () => socket.terminate()) // it breaks the protocol, or the connection has broken
  socket.once('close', (code, reason) => {
    stopPinging()
    connection.leave()
    void closed(code, String(reason))
  })
}

/** Resolves when the text has left this process, so that a slow client holds up its own results alone. */
function send(socket: WebSocket, text: string): Promise<void> {
  if (socket.readyState !== socket.OPEN) return Promise.resolve()
  if (socket.bufferedAmount > mostBufferedBytes) socket.terminate()
  return new Promise((resolve) => {
    socket.send(text, () => resolve()) // a connection that breaks meanwhile is closed elsewhere
  })
}

/** A peer that vanished without a word does not answer. */
function ping(socket: WebSocket): () => void {
  let isAlive = true
  socket.on('pong', () => {
    isAlive = true
  })
  const timer = setInterval(() => {
    if (!isAlive) socket.terminate()
    isAlive = false
    socket.ping()
  }, pingEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}
