/** Error replies on connections without a request in Fastify, in the form of all errors. */
import type { Duplex } from 'node:stream'
import { errorKinds } from '../../../core/errors.ts'
import { newId } from '../../../core/id.ts'

/** How long to read further input: without reading, a reset could overtake the reply. */
const lingerMs = 1000

const statusLines = {
  forbidden: '403 Forbidden',
  tooManyRequests: '429 Too Many Requests',
  unavailable: '503 Service Unavailable',
} as const

export interface Rejection {
  kind: keyof typeof statusLines
  message?: string
  retryAfterSeconds?: number
}

/** Replies with an error and closes. The connection must not be used afterwards. */
export function rejectConnection(socket: Duplex, rejection: Rejection): void {
  const { kind, message = errorKinds[kind].text, retryAfterSeconds } = rejection
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': `${retryAfterSeconds}` }
  socket.on('error', () => socket.destroy())
  socket.resume()
  socket.end(errorReply(statusLines[kind], message, headers))
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(timer))
}

/** A complete reply, after which the connection ends. */
export function errorReply(
  status: string,
  message: string,
  headers: Readonly<Record<string, string>>,
): string {
  const body = JSON.stringify({ message })
  const all = {
    ...headers,
    'x-request-id': newId(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': `${Buffer.byteLength(body)}`,
    connection: 'close',
  }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status}\r\n${head.join('')}\r\n${body}`
}
