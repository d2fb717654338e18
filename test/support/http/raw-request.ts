/** Requests byte by byte, for what `fetch` refuses to send. */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Answer } from '../client.ts'
import { parseField } from './field.ts'

const timeoutMs = 10_000

/**
 * Writes the bytes and reads one answer until the other side closes.
 * @param text lines ending in CRLF; ask for `Connection: close`, or the answer never ends
 */
export async function sendRaw(url: string, text: string | Uint8Array): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('No answer in time')))
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)))
  socket.write(text)
  await once(socket, 'close')
  return readAnswer(Buffer.concat(chunks).toString())
}

/** A request with these header lines and no others but `Connection: close`. */
export function rawRequest(line: string, headers: readonly string[], body = ''): string {
  return [`${line} HTTP/1.1`, ...headers, 'Connection: close', '', body].join('\r\n')
}

function readAnswer(text: string): Answer {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) throw new Error(`Not an answer: ${JSON.stringify(text)}`)
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = new Headers(lines.map(parseField))
  const body = text.slice(end + 4)
  const isJson = headers.get('content-type')?.includes('json') === true && body !== ''
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    text: body,
    body: isJson ? JSON.parse(body) : body,
  }
}
