/**
 * Compresses text replies of more than 1 KiB for clients that accept it (RFC 9110, section 12.5.3). Replies up to 16
 * KiB are compressed on the event loop, which is faster than the thread pool. Larger replies are compressed in pieces
 * on the thread pool, a few at a time, and charged to the caller, or sent uncompressed without budget or capacity.
 */
import { Readable } from 'node:stream'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../../../core/limits/caller.ts'
import { ConcurrencyLimiter, fairShare } from '../../../core/limits/concurrency-limiter.ts'
import type { CostAccount, CostLimiter } from '../../../core/limits/cost-limiter.ts'
import { codedTag, tagInUse } from './etag.ts'

const minBytes = 1024
/** On the event loop: 10 to 100 microseconds. */
const maxBytesAtOnce = 16 * 1024
/** Each holds up to 1 MiB, and at most one piece of 64 KiB in the queue of the thread pool. */
const maxStreams = 16
/** Fast: higher levels take several times as long and save a tenth more. */
const zlibOptions = { level: 1 }
const brotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 },
}
/** Not event streams: compression would delay events. */
const text = /^(?:application\/(?:[\w.-]+\+)?json|text\/(?!event-stream)[\w.-]+)(?:;|$)/
/** The header that tells the plugin not to compress. */
const skip = 'x-no-compression'
const acceptsAny = /gzip|br|\*/i

/** @param app without routes; routes registered later compress unless they set `compress: false` */
export async function compressReplies(app: FastifyInstance, costLimiter: CostLimiter): Promise<void> {
  await app.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    threshold: minBytes,
    syncThreshold: maxBytesAtOnce,
    customTypes: (type) => text.test(type),
    zlibOptions,
    brotliOptions,
  })
  const streams = new ConcurrencyLimiter()
  const prepare = (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void => {
    if (reply.statusCode === 304) setCodedTag(request, reply)
    if (isCompressible(reply, payload)) done(null, begin(request, reply, payload))
    else {
      request.headers[skip] = 'other'
      done(null, payload)
    }
  }
  const begin = (request: FastifyRequest, reply: FastifyReply, payload: Payload): Payload => {
    addVary(reply)
    const isAccepted = acceptsAny.test(request.headers['accept-encoding'] ?? '')
    if (!isAccepted || !isLong(payload)) return payload
    const account = beginStream(request, reply, streams, costLimiter)
    if (account !== null) return charged(payload, account)
    request.headers[skip] = 'busy'
    return payload
  }
  // Before and after the hook that the plugin has added to the route.
  app.addHook('onRoute', (route) => {
    if (route.compress === false) return
    const others = [route.onSend ?? []].flat()
    route.onSend = route.method === 'HEAD' ? [...others, describeHead] : [prepare, ...others, addCodingToTag]
  })
}

type Done = (error: null, payload: unknown) => void
type Payload = string | Uint8Array | Readable

function isCompressible(reply: FastifyReply, payload: unknown): payload is Payload {
  if (payload === null || payload === undefined) return false
  const isLarge = payload instanceof Readable || lengthOf(payload) >= minBytes
  return isLarge && text.test(String(reply.getHeader('content-type')))
}

function isLong(payload: Payload): boolean {
  return payload instanceof Readable || lengthOf(payload) > maxBytesAtOnce
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
  const end = account.isEmpty ? null : streams.acquire(caller.network, fairShare(maxStreams, streams.total))
  if (end === null) return null
  if (raw.closed) end()
  else raw.once('close', end)
  return account
}

function charged(payload: Payload, account: CostAccount): Payload {
  if (payload instanceof Readable) return Readable.from(chargedPieces(payload, account), { highWaterMark: 1 })
  account.spendBytes(lengthOf(payload))
  return payload
}

async function* chargedPieces(pieces: AsyncIterable<string | Uint8Array>, account: CostAccount) {
  for await (const piece of pieces) {
    account.spendBytes(lengthOf(piece))
    yield piece
  }
}

function lengthOf(payload: unknown): number {
  return Buffer.byteLength(payload as string | Uint8Array) // the payload of a reply that is not a stream
}

/** A content coding is another representation with another tag (RFC 9110, section 8.8.3.3). */
function addCodingToTag(_request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void {
  const coding = reply.getHeader('content-encoding')
  const tag = reply.getHeader('etag')
  if (typeof coding === 'string' && typeof tag === 'string') reply.header('etag', codedTag(tag, coding))
  done(null, payload)
}

/** Returns the tag of the coded representation that the client has. */
function setCodedTag({ headers }: FastifyRequest, reply: FastifyReply): void {
  const tag = reply.getHeader('etag')
  addVary(reply)
  if (typeof tag === 'string') reply.header('etag', tagInUse(headers['if-none-match'] ?? '', tag))
}

/** The length is unknown before compression. */
function describeHead(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void {
  const length = reply.getHeader('content-length')
  if (text.test(String(reply.getHeader('content-type'))) && !(Number(length) < minBytes)) {
    addVary(reply)
    if (acceptsAny.test(request.headers['accept-encoding'] ?? '')) reply.removeHeader('content-length')
  }
  done(null, payload)
}

function addVary(reply: FastifyReply): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? name : `${String(vary)}, ${name}`)
}

const name = 'accept-encoding'
