/** Sends the body of a reply: a short one at once, long JSON text in chunks as the client reads them. */

import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Context } from '../../../core/context.ts'
import { JsonText, readsOnly } from '../../../core/feature/route.ts'
import { type ReplyReservation, smallReplyBytes } from '../../../core/limits/reply-memory.ts'
import { addVary, isLongText } from './compression.ts'
import { isEvents, sendEvents } from './send-events.ts'
import { writeTogether } from './write-together.ts'

/** A reply is sent in chunks of this size, so that the server knows how much the client has read. */
export const chunkBytes = 64 * 1024
/** The memory of a list that is streamed: a chunk that is read and one that is sent, as text and as bytes. */
const streamBytes = 4 * chunkBytes

/** What decides how a body is sent. */
export interface Sending {
  context: Context
  /** Whether replies of the route are compressed for clients that accept it. */
  mayCompress: boolean
  /** Whether a hook of the route looks at its replies. */
  isObserved: boolean
}

/** @throws ServiceError `unavailable` when replies hold too much memory already */
export function sendBody(reply: FastifyReply, body: unknown, sending: Sending): FastifyReply {
  if (body instanceof JsonText) return sendJson(reply, body, sending)
  if (sending.isObserved || reply.request.method === 'HEAD' || !isJsonValue(body))
    return counted(reply.send(body), sending.context, null)
  const text = reply.serialize(body as object) as string // by a schema, or JSON.stringify
  return sendJson(reply, new JsonText(text), sending)
}

/** Whether the body is a value that is sent as JSON: neither bytes nor a stream. */
function isJsonValue(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  return Array.isArray(body) || Object.getPrototypeOf(body) === Object.prototype
}

function sendJson(reply: FastifyReply, body: JsonText, { context, mayCompress }: Sending): FastifyReply {
  const { content, type, reservation } = body
  reply.header('content-type', type)
  if (reservation !== null) begin(reply, reservation)
  const short = { type, mayCompress, context, reservation }
  if (typeof content === 'string' && content.length <= smallReplyBytes)
    return sendShort(reply, content, short)
  if (typeof content === 'string' || isChunks(content)) {
    const buffers = buffersOf(content)
    const bytes = buffers.reduce((sum, { length }) => sum + length, 0)
    if (bytes <= smallReplyBytes) return sendShort(reply, Buffer.concat(buffers), short)
    const reserved = reservation ?? reserve(reply, context, bytes)
    return reply.header('content-length', bytes).send(inChunks(releasing(buffers, reserved)))
  }
  if (isEvents(type)) return sendEvents(reply, content, failureReport(context))
  if (reservation === null && type.startsWith('application/json')) reserve(reply, context, streamBytes)
  return reply.send(inChunks(content))
}

/** Makes the reporter from two members of the context, so that a long reply does not keep the whole context in memory. */
function failureReport({ shared: { log }, requestId }: Context): (error: unknown) => void {
  return (error) => log.error({ err: error, requestId }, 'event stream cut')
}

interface ShortSending {
  type: string
  mayCompress: boolean
  context: Context
  reservation: ReplyReservation | null
}

/**
 * Sends head and body in one write, past the reply's life cycle in Fastify, which costs as much as reading a row. Its
 * hooks would only compress.
 */
function sendShort(
  reply: FastifyReply,
  content: string | Buffer,
  { type, mayCompress, context, reservation }: ShortSending,
): FastifyReply {
  const bytes = Buffer.byteLength(content)
  const isCompressible = mayCompress && isLongText(type, bytes)
  if (isCompressible && reply.request.headers['accept-encoding'] !== undefined)
    return counted(reply.send(content), context, reservation)
  if (isCompressible) addVary(reply)
  const { raw } = reply
  raw.writeHead(raw.statusCode, { ...(reply.getHeaders() as OutgoingHttpHeaders), 'content-length': bytes }) // its types repeat each name
  reply.hijack()
  writeTogether(() => {
    // ASCII is the same in both encodings, and is copied as it is.
    raw.end(content, bytes === content.length ? 'latin1' : 'utf8')
    counted(reply, context, reservation)
  })
  return reply
}

/** Counts what the client has not taken at once. @param reservation of the body, if it has one already */
function counted(reply: FastifyReply, context: Context, reservation: ReplyReservation | null): FastifyReply {
  const { writableLength: unsentBytes } = reply.raw
  if (unsentBytes > 0 && reservation === null) newReservation(reply, context).hold(unsentBytes)
  return reply
}

type Chunks = readonly (string | Uint8Array)[]

function isChunks(content: JsonText['content']): content is Chunks {
  return Array.isArray(content)
}

function reserve(reply: FastifyReply, context: Context, bytes: number): ReplyReservation {
  const reservation = newReservation(reply, context)
  if (readsOnly(reply.request.method)) reservation.grow(bytes)
  else reservation.hold(bytes) // the change is committed: its reply cannot be refused
  return reservation
}

function newReservation(reply: FastifyReply, context: Context): ReplyReservation {
  const reservation = context.shared.replyMemory.reserve(context)
  begin(reply, reservation)
  return reservation
}

/** From now on, the limit of memory may cut the connection. The end of the reply releases the reservation. */
function begin({ raw }: FastifyReply, reservation: ReplyReservation): void {
  reservation.send(() => raw.destroy())
  const release = () => reservation.release()
  if (raw.closed) release()
  else raw.once('close', release)
}

function buffersOf(content: string | Chunks): Uint8Array[] {
  const chunks = typeof content === 'string' ? [content] : content
  return chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk))
}

/** Releases each buffer when it was sent. */
function* releasing(buffers: Uint8Array[], reservation: ReplyReservation): Generator<Uint8Array> {
  for (let buffer = buffers.shift(); buffer !== undefined; buffer = buffers.shift()) {
    yield* slices(buffer)
    reservation.shrink(buffer.length)
  }
}

/** Reads a chunk only when the client has taken the previous one. */
export function inChunks(source: Iterable<Uint8Array> | AsyncIterable<string | Uint8Array>): Readable {
  return Readable.from(source, { highWaterMark: 1 })
}

export function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += chunkBytes) yield bytes.subarray(from, from + chunkBytes)
}

/**
 * The reply to HEAD: the headers of the reply to GET (RFC 9110, section 9.3.2). The content is not read: Fastify would
 * drain an unbounded list, or follow a subscription.
 */
export function sendHead(reply: FastifyReply, { content, type, reservation }: JsonText): FastifyReply {
  reply.header('content-type', type)
  reservation?.release()
  if (typeof content === 'string') reply.header('content-length', Buffer.byteLength(content))
  else if (Array.isArray(content)) reply.header('content-length', byteLengthOf(content))
  else void (content as AsyncIterable<unknown>)[Symbol.asyncIterator]().return?.() // the remaining kind of content
  return reply.send(Readable.from([]))
}

function byteLengthOf(chunks: readonly (string | Uint8Array)[]): number {
  return chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk), 0)
}
