/** The content codings of replies (RFC 9110, section 12.5.3): which one a client prefers, and how it is made. */
import type { Transform } from 'node:stream'
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib'
import Negotiator from 'negotiator'
import { remembering } from './negotiate.ts'

export type ContentCoding = 'br' | 'gzip'

/** The codings in the order of the server's preference. */
const offered = ['br', 'gzip', 'identity']

/** Fast: higher levels take several times as long and save a tenth more. */
const gzipOptions = { level: 1 }
const brotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 },
}

/** The types of the library leave the preference out. */
interface ByPreference {
  encodings(offered: string[], options: { preferred: string[] }): string[]
}

/** Reads the header `Accept-Encoding`. @returns the coding; `null` if the reply is sent as it is */
export const preferredCoding = remembering<ContentCoding>('identity', (accepted) => {
  const negotiator: ByPreference = new Negotiator({ headers: { 'accept-encoding': accepted } })
  const [best] = negotiator.encodings(offered, { preferred: offered })
  return best === 'br' || best === 'gzip' ? best : null
})

/** Compresses at once, and blocks the event loop meanwhile. */
export function encode(content: string | Uint8Array, coding: ContentCoding): Buffer {
  return coding === 'br' ? brotliCompressSync(content, brotliOptions) : gzipSync(content, gzipOptions)
}

/** Makes a stream that compresses on the thread pool. */
export function encoder(coding: ContentCoding): Transform {
  return coding === 'br' ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions)
}
