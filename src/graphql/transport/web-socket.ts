/** GraphQL over WebSocket: the protocol `graphql-transport-ws`, at the address of the gateway. */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FormattedExecutionResult } from 'graphql'
import { CloseCode, type ConnectionInitMessage, handleProtocols, makeServer } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Shared } from '../../context.ts'
import { ServiceError } from '../../errors.ts'
import { type AdmissionParts, admit } from '../../http/admission.ts'
import type { Gateway } from '../gateway.ts'
import { Connection } from './connection.ts'
import type { Doorkeeper } from './doorkeeper.ts'
import { isOurOrigin } from './origin.ts'

export interface WebSocketParts {
  gateway: Gateway
  doorkeeper: Doorkeeper
  admission: AdmissionParts
  shared: Shared
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
const closeWithinMs = 500

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
  const protocol = createProtocol(parts)
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isOurOrigin(request.headers, parts.corsOrigins)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) =>
      open(protocol, webSocket, new Connection(request, parts)),
    )
  })
  return async () => {
    for (const socket of sockets.clients) socket.close(goingAway, 'Going away')
    const timer = setTimeout(() => {
      for (const socket of sockets.clients) socket.terminate()
    }, closeWithinMs)
    await new Promise((resolve) => sockets.close(resolve))
    clearTimeout(timer)
  }
}

interface Extra extends Record<PropertyKey, unknown> {
  connection: Connection
  socket: WebSocket
}

type Protocol = ReturnType<typeof createProtocol>

function createProtocol({ gateway, admission }: WebSocketParts) {
  return makeServer<ConnectionInitMessage['payload'], Extra>({
    connectionInitWaitTimeout: initWithinMs,
    onConnect: async ({ connectionParams, extra: { connection, socket } }) => {
      try {
        await connection.enter(
          connectionParams ?? {},
          (request) => admit(request, 'public', admission),
          () => {
            socket.close(CloseCode.Unauthorized, 'The token is no longer valid')
          },
        )
        return true
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        socket.close(
          error.kind === 'unauthorized' ? CloseCode.Unauthorized : CloseCode.Forbidden,
          reasonOf(error),
        )
        return false
      }
    },
    // A token can be renewed in band, because a connection is initialised only once.
    onPing: async ({ extra: { connection, socket } }, payload) => {
      const isRenewed = await connection.renew(payload ?? {}, (request) =>
        admit(request, 'public', admission),
      )
      if (!isRenewed) socket.close(CloseCode.Unauthorized, 'The token is not valid')
    },
    onSubscribe: ({ extra: { connection }, subscriptions }, _id, payload) => {
      const { query, operationName, variables, extensions } = payload
      const asked = { query, documentId: null, operationName: operationName ?? null }
      const given = { variables: variables ?? {}, extensions: extensions ?? {} }
      return connection.begin({ ...asked, ...given }, Object.keys(subscriptions).length)
    },
    execute: ({ contextValue }) => Connection.run(contextValue),
    subscribe: ({ contextValue }) => Connection.follow(contextValue),
    // What the gateway gives is ready to be sent.
    onNext: (_context, _id, _payload, _args, result) => result as FormattedExecutionResult,
    onDisconnect: ({ extra: { connection } }) => connection.leave(),
    schema: gateway.api.schema,
  })
}

function open(protocol: Protocol, socket: WebSocket, connection: Connection): void {
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (text) => send(socket, text),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (listener) => {
        socket.on('message', (data) => {
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

function reasonOf({ message }: ServiceError): string {
  return message.slice(0, 100)
}
