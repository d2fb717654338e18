/** GraphQL over WebSocket: the protocol `graphql-transport-ws` at `/graphql`. */

import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { type FormattedExecutionResult, GraphQLError } from 'graphql'
import { CloseCode, type ConnectionInitMessage, handleProtocols, makeServer } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { type ErrorKind, ServiceError } from '../../../core/errors.ts'
import { originOf } from '../../../core/host.ts'
import { PeriodicCheck } from '../../../core/periodic-check.ts'
import type { TrustProxy } from '../../../core/settings/parse.ts'
import { DatabaseUnavailable } from '../../../database/executor.ts'
import { requestTarget } from '../../http/connection/absolute-target.ts'
import { originFinder } from '../../http/connection/proxy.ts'
import { type Rejection, rejectConnection } from '../../http/connection/reject-connection.ts'
import type { RequestTurns } from '../../http/request/request-turns.ts'
import { ClientSocket, type ClientSocketParts, pingEveryMs } from './client-socket.ts'
import { isAllowedOrigin } from './upgrade-request.ts'
import { type ConnectionParts, WebSocketConnection } from './web-socket-connection.ts'
import type { WebSocketPermit } from './web-socket-limiter.ts'

export interface WebSocketParts extends ConnectionParts, Omit<ClientSocketParts, 'pings'> {
  trustProxy: TrustProxy
  /** The address at which browsers reach the service, whatever name a proxy passes on. */
  baseUrl: string
  corsOrigins: readonly string[]
  turns: RequestTurns
}

const path = '/graphql'
/** The time in which a client must send `connection_init`. */
const initWithinMs = 3000
const normal = 1000
const goingAway = 1001
const messageTooBig = 1009
const tryAgainLater = 1013
/** How long a stop waits for queries and mutations. */
const finishWithinMs = 400
/** How long a stop then waits for clients to close. */
const closeWithinMs = 400
const pollMs = 10
const maxReasonCharacters = 100
const retryAfterSeconds = 5
/** The maximum number of fragments of a message. Each fragment keeps the buffer of 64 KiB with which it was read. */
const maxFragments = 64

/** The server option `shouldUpgradeCallback`. Other upgrade requests are served as plain requests. */
export function shouldUpgrade(request: IncomingMessage, basePath: string): boolean {
  if (request.headers.upgrade?.toLowerCase() !== 'websocket') return false
  request.url = requestTarget(request, basePath)
  return request.url.split('?')[0] === path
}

/** @returns a function that closes all connections */
export function acceptWebSockets(server: Server, parts: WebSocketParts): () => Promise<void> {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: parts.messageLimitBytes,
    maxFragments,
    // One message or ping of each client in each turn of the event loop.
    allowSynchronousEvents: false,
    handleProtocols: (protocols) => handleProtocols(protocols),
  })
  const connections = new Map<ClientSocket, WebSocketConnection>()
  const socketParts = { ...parts, pings: new PeriodicCheck(pingEveryMs) }
  const protocol = createProtocol(parts)
  const callerOf = originFinder(parts.trustProxy)
  const origins = [parts.baseUrl, ...parts.corsOrigins].map((each) => (each === '*' ? each : originOf(each)))
  server.on('upgrade', (request: IncomingMessage, wire: Duplex, head: Buffer) => {
    closeOnError(wire)
    const { headers, url = '' } = request
    const caller = callerOf(request)
    if (!isAllowedOrigin(headers.origin, caller.host, origins)) {
      return rejectConnection(wire, { kind: 'forbidden' })
    }
    const permit = parts.limiter.acquire(caller.address)
    if (typeof permit === 'string') return rejectConnection(wire, rejections[permit])
    releaseAtClose(permit, wire)
    const accept = (webSocket: WebSocket): void => {
      const socket = new ClientSocket(webSocket, wire, socketParts)
      const connection = new WebSocketConnection({ ...caller, headers, url }, permit, parts)
      keep(connections, webSocket, { socket, connection })
      open(protocol, webSocket, { socket, connection })
    }
    parts.turns.take({ tenantId: '', actor: null, address: caller.address }, () => {
      if (!wire.destroyed) sockets.handleUpgrade(request, wire, head, accept)
    })
  })
  return async () => {
    const closed = new Promise((resolve) => sockets.close(resolve))
    await Promise.all([...connections].map(([socket, connection]) => closeWhenDone(socket, connection)))
    await closed
  }
}

/*
 * These listeners live as long as the WebSocket. They are functions of their own, so that they keep no object of the
 * upgrade request in memory, and are not added by `once`, which takes more memory: a socket closes once.
 */

/** Without a listener, a connection reset would end the process. */
function closeOnError(wire: Duplex): void {
  wire.on('error', () => wire.destroy())
}

function releaseAtClose(permit: WebSocketPermit, wire: Duplex): void {
  wire.on('close', () => permit.release())
}

function keep(
  connections: Map<ClientSocket, WebSocketConnection>,
  webSocket: WebSocket,
  { socket, connection }: Extra,
): void {
  connections.set(socket, connection)
  webSocket.on('close', () => connections.delete(socket))
}

const tooMany = { message: 'There are too many WebSockets.', retryAfterSeconds }
const rejections: Record<'total' | 'address', Rejection> = {
  total: { kind: 'unavailable', ...tooMany },
  address: { kind: 'tooManyRequests', ...tooMany },
}

/** Waits a short time for running operations before it closes. */
async function closeWhenDone(socket: ClientSocket, connection: WebSocketConnection): Promise<void> {
  const latest = performance.now() + finishWithinMs
  while (connection.isBusy && performance.now() < latest) await delay(pollMs)
  socket.close(goingAway, 'Going away', closeWithinMs)
}

interface Extra extends Record<PropertyKey, unknown> {
  connection: WebSocketConnection
  socket: ClientSocket
}

type Protocol = ReturnType<typeof createProtocol>

function createProtocol({ gateway }: WebSocketParts) {
  return makeServer<ConnectionInitMessage['payload'], Extra>({
    connectionInitWaitTimeout: initWithinMs,
    onConnect: async (context) => {
      const { connectionParams, extra } = context
      const { connection, socket } = extra
      Object.assign(context, { connectionParams: undefined }) // the connection has what it needs of them
      try {
        await connection.enter(connectionParams ?? {}, {
          onUnauthorized: () => socket.close(CloseCode.Unauthorized, 'The token is no longer valid'),
          onIdle: () => socket.close(normal, 'Idle'),
        })
        socket.setInitialized()
        return true
      } catch (error) {
        closeWithError(extra, error)
        return false
      }
    },
    // Pings renew tokens, because a connection is initialised only once.
    onPing: async ({ extra }, payload) => {
      const { connection, socket } = extra
      try {
        const isRenewed = await connection.renew(payload ?? {})
        if (!isRenewed) socket.close(CloseCode.Unauthorized, 'The token is not valid')
      } catch (error) {
        closeWithError(extra, error)
      }
    },
    onSubscribe: async ({ extra }, _id, payload) => {
      const { query, operationName, variables, extensions } = payload
      const names = { query, documentId: null, operationName: operationName ?? null }
      const given = { variables: variables ?? {}, extensions: extensions ?? {} }
      try {
        return await extra.connection.begin({ ...names, ...given })
      } catch (error) {
        return [closeWithError(extra, error)]
      }
    },
    execute: ({ contextValue }) => WebSocketConnection.run(contextValue),
    subscribe: ({ contextValue }) => WebSocketConnection.subscribe(contextValue),
    // The gateway has formatted the result.
    onNext: (_context, _id, _payload, _args, result) => result as FormattedExecutionResult,
    schema: gateway.api.schema,
  })
}

/**
 * Closes the socket for an expected error. A client tries again later if the database cannot be reached.
 * @returns the error for the protocol
 * @throws other errors
 */
function closeWithError({ socket, connection }: Extra, error: unknown): GraphQLError {
  const known = error instanceof DatabaseUnavailable ? connection.report(error) : error
  if (!(known instanceof ServiceError)) throw error
  socket.close(closeCodes[known.kind] ?? CloseCode.Forbidden, known.message.slice(0, maxReasonCharacters))
  return new GraphQLError(known.message)
}

const closeCodes: Partial<Record<ErrorKind, number>> = {
  unauthorized: CloseCode.Unauthorized,
  tooManyRequests: tryAgainLater,
  unavailable: tryAgainLater,
  invalid: CloseCode.BadRequest,
  tooLarge: messageTooBig,
}

function open(protocol: Protocol, webSocket: WebSocket, extra: Extra): void {
  const { socket, connection } = extra
  const closed = protocol.opened(
    {
      protocol: webSocket.protocol,
      send: (text) => socket.send(text),
      close: (code, reason) => socket.close(code ?? normal, reason ?? ''),
      onMessage: (listener) => {
        socket.onMessage((message) => {
          try {
            connection.admitMessage(message)
          } catch (error) {
            closeWithError(extra, error)
            return
          }
          listener(message.toString()).catch((error: unknown) => {
            connection.report(error)
            socket.close(CloseCode.InternalServerError, 'Internal server error')
          })
        })
      },
    },
    extra,
  )
  webSocket.on('close', (code, reason) => {
    connection.leave()
    closed(code, String(reason)).catch((error: unknown) => connection.report(error))
  })
}
