/** Reads an answer as far as it is recorded, and no further. */
import type { IncomingMessage } from 'node:http'

/** A longer answer is cut: the connection is closed. */
export const maxReadBytes = 64 * 1024
/** Of UTF-8, as it is stored. */
export const maxKeptBytes = 16 * 1024

export interface Answer {
  status: number | null
  headers: Record<string, string>
  /** The beginning of the body, as far as it has arrived. */
  excerpt(): string
}

export const noAnswer: Answer = { status: null, headers: {}, excerpt: () => '' }

/**
 * @param done called once: `complete` when the answer has ended, `cut` when it is too long, `broken` when it broke off
 */
export function readAnswer(
  response: IncomingMessage,
  done: (end: 'complete' | 'cut' | 'broken') => void,
): Answer {
  const kept: Buffer[] = []
  let readBytes = 0
  let isOver = false
  const over = (end: 'complete' | 'cut' | 'broken'): void => {
    if (!isOver) done(end)
    isOver = true
  }
  response.on('data', (chunk: Buffer) => {
    if (readBytes < maxKeptBytes) kept.push(Buffer.from(chunk.subarray(0, maxKeptBytes - readBytes)))
    readBytes += chunk.length
    if (readBytes > maxReadBytes) over('cut')
  })
  response.on('end', () => over('complete'))
  response.on('error', () => over('broken'))
  response.on('close', () => over('broken'))
  return {
    status: response.statusCode ?? null,
    headers: headersOf(response),
    excerpt: () => excerptOf(Buffer.concat(kept)),
  }
}

const utf8 = new TextEncoder()
const scratch = new Uint8Array(maxKeptBytes)

/** Text that both databases can store: what is not UTF-8 is replaced, and so is the null character. */
function excerptOf(bytes: Buffer): string {
  const text = bytes.toString('utf8').replaceAll('\0', '\u{fffd}')
  return text.slice(0, utf8.encodeInto(text, scratch).read)
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]))
}
