/**
 * A caller of the service over HTTP. It uses `node:http`, which takes a third of the processor time of `fetch`.
 */
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'

export interface Answer {
  status: number
  headers: Headers
  /** Parsed where it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read replies of every shape
  body: any
  text: string
}

/** Much shorter than a service keeps idle connections: a busy process sends on one that is about to be closed. */
const maxIdleMs = 10_000

const agent = new Agent({ keepAlive: true, maxFreeSockets: 16, timeout: maxIdleMs })

const decoders = new Map([
  ['gzip', promisify(gunzip)],
  ['br', promisify(brotliDecompress)],
])

export class Client {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>

  constructor(baseUrl: string, headers: Record<string, string> = {}) {
    this.baseUrl = baseUrl
    this.headers = headers
  }

  /** The same caller with more headers. */
  with(headers: Record<string, string>): Client {
    return new Client(this.baseUrl, { ...this.headers, ...headers })
  }

  withToken(token: string): Client {
    return this.with({ authorization: `Bearer ${token}` })
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('GET', path, undefined, headers)
  }

  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', path, body, headers)
  }

  put(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('PUT', path, body, headers)
  }

  patch(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('PATCH', path, body, headers)
  }

  delete(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('DELETE', path, undefined, headers)
  }

  /** @param body sent as JSON; a string or bytes as they are */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const bytes = bytesOf(body)
    const { reply, text } = await exchange(`${this.baseUrl}${path}`, bytes, {
      method,
      agent,
      headers: {
        accept: '*/*',
        ...(bytes !== null && { 'content-type': 'application/json', 'content-length': `${bytes.length}` }),
        ...lowerCased(this.headers),
        ...lowerCased(headers),
      },
    })
    const isJson = reply.headers['content-type']?.includes('json') === true
    let read: Headers | undefined
    return {
      status: reply.statusCode ?? 0,
      get headers() {
        read ??= headersOf(reply)
        return read
      },
      // A HEAD has the type of what it leaves out.
      body: isJson && text !== '' ? JSON.parse(text) : text,
      text,
    }
  }
}

function bytesOf(body: unknown): Uint8Array | null {
  if (body === undefined || body instanceof Uint8Array) return body ?? null
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

/** A later header replaces an earlier one in whatever case each is written. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Most tests never look at them, and to make them takes as long as to read the reply. */
function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  return headers
}

async function exchange(
  url: string,
  body: Uint8Array | null,
  options: RequestOptions,
): Promise<{ reply: IncomingMessage; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request(new URL(url), options, resolve).on('error', reject).end(body)
  const reply = await promise
  const bytes = await (isEndless(reply) ? firstOf(reply) : bytesFrom(reply))
  const decode = decoders.get(reply.headers['content-encoding'] ?? '')
  const content = decode === undefined || bytes.length === 0 ? bytes : await decode(bytes)
  return { reply, text: content.toString() }
}

/** A stream of followed lists, which tests of all routes open as well. */
function isEndless({ headers }: IncomingMessage): boolean {
  return headers['content-type'] === 'text/event-stream' && headers['cache-control'] === 'no-store'
}

async function firstOf(reply: IncomingMessage): Promise<Uint8Array> {
  for await (const chunk of reply) {
    reply.destroy()
    return chunk
  }
  return new Uint8Array()
}

/** `buffer` of Node.js makes a `Blob` first. */
function bytesFrom(reply: IncomingMessage): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  reply
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .on('end', () => resolve(Buffer.concat(chunks)))
    .on('error', reject)
  return promise
}
