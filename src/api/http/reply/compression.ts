/**
 * Compresses text replies of more than 1 KiB for clients that accept it (RFC 9110, section 12.5.3). Replies up to 16
 * KiB are compressed on the event loop, which is faster than the thread pool. Larger replies are compressed in chunks
 * on the thread pool, a few at a time, and charged to the caller, or sent uncompressed without budget or capacity.
 */
import { pipeline, Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../../../core/limits/caller.ts'
import { ConcurrencyLimiter } from '../../../core/limits/concurrency-limiter.ts'
import type { CostAccount, CostLimiter } from '../../../core/limits/cost-limiter.ts'
import { fairShareText, type Limit } from '../../../database/limit.ts'
import { type ContentCoding, encode, encoder, preferredCoding } from './content-coding.ts'
import { codedTag, tagInUse } from './etag.ts'

declare module 'fastify' {
  interface RouteShorthandOptions {
    /** `false`: replies are never compressed. */
    compress?: false
  }
  interface FastifyInstance {
    /** Present where replies are compressed. */
    compresses?: true
  }
}

/** A shorter reply is never compressed. */
const minCodedBytes = 1024
/** The largest reply that is compressed on the event loop, which takes 10 to 100 microseconds. */
const maxBytesAtOnce = 16 * 1024
/** The maximum number of compressing streams. Each holds up to 1 MiB, and has at most one chunk of 64 KiB in the thread pool. */
const maxStreams = 16
export const compressionLimit: Limit = {
  name: 'long replies that are compressed at once',
  kind: 'permits',
  bounds: { instance: maxStreams, address: `${fairShareText}, always one` },
  beyond: 'the reply is not compressed',
  page: 'api/replies.md#compression',
}

/** The types that are compressed. Event streams are not among them, because compression would delay events. */
const text = /^(?:application\/(?:[\w.-]+\+)?json|text\/(?!event-stream)[\w.-]+)(?:;|$)/

/** @param app without routes; routes registered later compress unless they set `compress: false` */
export function compressReplies(app: FastifyInstance, costLimiter: CostLimiter): void {
  const streams = new ConcurrencyLimiter(maxStreams)
  app.decorate('compresses', true)
  const compress = (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void => {
    if (reply.statusCode === 304) setCodedTag(request, reply)
    done(null, isCompressible(reply, payload) ? coded(request, reply, payload) : payload)
  }
  const coded = (request: FastifyRequest, reply: FastifyReply, payload: Payload): Payload => {
    addVary(reply)
    const coding = preferredCoding(request.headers['accept-encoding'])
    if (coding === null) return payload
    if (!isLong(payload)) return compressAtOnce(reply, payload, coding)
    const account = beginStream(request, reply, streams, costLimiter)
    return account === null ? payload : compressStream(reply, payload, coding, account)
  }
  app.addHook('onRoute', (route) => {
    if (route.compress === false) return
    const { onSend: others = [] } = route
    const hook = route.method === 'HEAD' ? describeHead : compress
    route.onSend = Array.isArray(others) ? [...others, hook] : [others, hook]
  })
}

type Done = (error: null, payload: unknown) => void
type Payload = string | Uint8Array | Readable

/** A part of a file (206) stays as it is, because its range counts the bytes of the file. */
function isCompressible(reply: FastifyReply, payload: unknown): payload is Payload {
  if (payload === null || payload === undefined || reply.statusCode === 206) return false
  const bytes = payload instanceof Readable ? Number.POSITIVE_INFINITY : lengthOf(payload)
  return isLongText(String(reply.getHeader('content-type')), bytes) && !reply.hasHeader('content-encoding')
}

/** Whether a reply is compressed for a client that accepts it. */
export function isLongText(type: string, bytes: number): boolean {
  return bytes >= minCodedBytes && text.test(type)
}

function isLong(payload: Payload): boolean {
  return payload instanceof Readable || lengthOf(payload) > maxBytesAtOnce
}

function compressAtOnce(reply: FastifyReply, payload: Payload, coding: ContentCoding): Buffer {
  const coded = encode(payload as string | Uint8Array, coding) // not a stream: streams were handled above
  setCoding(reply, coding)
  reply.header('content-length', coded.length)
  return coded
}

/** If the client disconnects, the pipeline ends the payload as well. */
function compressStream(
  reply: FastifyReply,
  payload: Payload,
  coding: ContentCoding,
  account: CostAccount,
): Readable {
  setCoding(reply, coding)
  reply.removeHeader('content-length')
  const source = payload instanceof Readable ? payload : Readable.from([payload])
  const coded = encoder(coding)
  pipeline(Readable.from(chargedChunks(source, account), { highWaterMark: 1 }), coded, () => undefined)
  return coded
}

/** A content coding is another representation with another tag (RFC 9110, section 8.8.3.3). */
export function setCoding(reply: FastifyReply, coding: ContentCoding): void {
  reply.header('content-encoding', coding)
  const tag = reply.getHeader('etag')
  if (typeof tag === 'string') reply.header('etag', codedTag(tag, coding))
}

/** @returns the account to charge, or `null` without capacity or budget */
function beginStream(
  { admitted, ip }: FastifyRequest,
  { raw }: FastifyReply,
  streams: ConcurrencyLimiter,
  costLimiter: CostLimiter,
): CostAccount | null {
  const caller = callerOf(admitted?.tenant.id ?? '', admitted?.actor ?? null, ip)
  const account = costLimiter.accountOf(caller)
  const bound = { holder: caller.network, max: streams.fairShare }
  const end = account.isEmpty ? null : streams.acquire([bound])
  if (end === null) return null
  if (raw.closed) end()
  else raw.once('close', end)
  return account
}

async function* chargedChunks(chunks: AsyncIterable<string | Uint8Array>, account: CostAccount) {
  for await (const chunk of chunks) {
    account.spendBytes(lengthOf(chunk))
    yield chunk
  }
}

function lengthOf(payload: unknown): number {
  return Buffer.byteLength(payload as string | Uint8Array) // the payload of a reply that is not a stream
}

/** Returns the tag of the coded representation that the client has. */
function setCodedTag({ headers }: FastifyRequest, reply: FastifyReply): void {
  const tag = reply.getHeader('etag')
  addVary(reply)
  if (typeof tag === 'string') reply.header('etag', tagInUse(headers['if-none-match'] ?? '', tag))
}

/** The length is unknown before compression. */
function describeHead(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void {
  const bytes = Number(reply.getHeader('content-length') ?? Number.POSITIVE_INFINITY)
  if (isLongText(String(reply.getHeader('content-type')), bytes)) {
    addVary(reply)
    if (preferredCoding(request.headers['accept-encoding']) !== null) reply.removeHeader('content-length')
  }
  done(null, payload)
}

/** The reply to another value of this header of requests may differ. */
export function addVary(reply: FastifyReply, name = 'accept-encoding'): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? name : `${String(vary)}, ${name}`)
}
