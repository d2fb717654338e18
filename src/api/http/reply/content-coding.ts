/** The content codings of replies (RFC 9110, section 12.5.3): which one a client prefers, and how it is made. */
import type { Transform } from 'node:stream'
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib'
import Negotiator from 'negotiator'
import { LruMap } from '../../../database/lru-map.ts'

export type ContentCoding = 'br' | 'gzip'

/** In the order of the server's preference. */
const offered = ['br', 'gzip', 'identity']

/** Fast: higher levels take several times as long and save a tenth more. */
const gzipOptions = { level: 1 }
const brotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 },
}

/** Clients send few different headers. */
const known = new LruMap<string, ContentCoding | 'identity'>(100)
const maxKnownLength = 200
const acceptsAny = /gzip|br|\*/i

/** @param accepted the header `Accept-Encoding` @returns `null`: the reply is sent as it is */
export function preferredCoding(accepted: string | undefined): ContentCoding | null {
  if (accepted === undefined || !acceptsAny.test(accepted)) return null
  const coding = known.peek(accepted) ?? negotiate(accepted)
  return coding === 'identity' ? null : coding
}

/** The types of the library leave the preference out. */
interface ByPreference {
  encodings(offered: string[], options: { preferred: string[] }): string[]
}

function negotiate(accepted: string): ContentCoding | 'identity' {
  const negotiator: ByPreference = new Negotiator({ headers: { 'accept-encoding': accepted } })
  const [best = 'identity'] = negotiator.encodings(offered, { preferred: offered }) as ContentCoding[] // of the offered
  if (accepted.length <= maxKnownLength) known.set(accepted, best)
  return best
}

/** Blocks the event loop. */
export function encode(content: string | Uint8Array, coding: ContentCoding): Buffer {
  return coding === 'br' ? brotliCompressSync(content, brotliOptions) : gzipSync(content, gzipOptions)
}

/** Works on the thread pool. */
export function encoder(coding: ContentCoding): Transform {
  return coding === 'br' ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions)
}
