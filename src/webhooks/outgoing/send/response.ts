/** Reads a response, and keeps the beginning of its body for the log of deliveries. */
import type { IncomingMessage } from 'node:http'
import { headersOf } from '../../../core/outgoing/guarded-fetch.ts'

/** The connection is closed after this many bytes of the body. */
export const maxReadBytes = 64 * 1024
/** The maximum size of the stored excerpt in UTF-8. */
export const maxKeptBytes = 16 * 1024

export interface ReceivedResponse {
  status: number | null
  headers: Record<string, string>
  /** The beginning of the body that has arrived so far. */
  excerpt(): string
}

export const noResponse: ReceivedResponse = { status: null, headers: {}, excerpt: () => '' }

/**
 * @param done called once: `complete` at the end of the response, `cut` when it is too long, `broken` when it is
 *   incomplete
 */
export function readResponse(
  response: IncomingMessage,
  done: (end: 'complete' | 'cut' | 'broken') => void,
): ReceivedResponse {
  const kept: Buffer[] = []
  let readBytes = 0
  let isDone = false
  const finish = (end: 'complete' | 'cut' | 'broken'): void => {
    if (!isDone) done(end)
    isDone = true
  }
  response.on('data', (chunk: Buffer) => {
    if (readBytes < maxKeptBytes) kept.push(Buffer.from(chunk.subarray(0, maxKeptBytes - readBytes)))
    readBytes += chunk.length
    if (readBytes > maxReadBytes) finish('cut')
  })
  response.on('end', () => finish('complete'))
  response.on('error', () => finish('broken'))
  response.on('close', () => finish('broken'))
  return {
    status: response.statusCode ?? null,
    headers: headersOf(response),
    excerpt: () => excerptOf(Buffer.concat(kept)),
  }
}

const utf8 = new TextEncoder()
/** Finds out how many characters fit; its content is not used. */
const scratch = new Uint8Array(maxKeptBytes)

/** Text that both databases can store: replaces bytes that are not UTF-8, and null characters. */
function excerptOf(bytes: Buffer): string {
  const text = bytes.toString('utf8').replaceAll('\0', '\u{fffd}')
  return text.slice(0, utf8.encodeInto(text, scratch).read)
}
