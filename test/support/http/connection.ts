/** A client that controls its connection: what is sent, and what has come back, chunk by chunk. */
import { once } from 'node:events'
import { type Agent, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

export interface Heard {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

/** One request on a connection of the agent. */
export async function askThrough(
  agent: Agent,
  url: string,
  { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: object; body?: string } = {},
): Promise<Heard> {
  const sent = request(url, {
    agent,
    method,
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
  })
  sent.end(body)
  const [response]: [IncomingMessage] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) }
}

/** Connects and sends what is given, as it is. */
export async function open(url: string, bytes = ''): Promise<Connection> {
  const socket = connectTo(url)
  await once(socket, 'connect')
  const connection = new Connection(socket)
  connection.send(bytes)
  return connection
}

export class Connection {
  readonly socket: Socket
  /** Everything that the other side sends, once it has ended. */
  readonly heard: Promise<string>
  #text = ''

  constructor(socket: Socket) {
    this.socket = socket
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      this.#text += chunk
    })
    socket.on('error', () => undefined) // a reset ends the text as well
    this.heard = once(socket, 'close').then(() => this.#text)
  }

  get text(): string {
    return this.#text
  }

  send(bytes: string): void {
    if (bytes !== '') this.socket.write(bytes)
  }
}

/** Waits until new connections are refused. */
export async function refused(url: string): Promise<void> {
  const limit = AbortSignal.timeout(10_000)
  while ((await refusal(url)) !== 'ECONNREFUSED') {
    limit.throwIfAborted()
    await delay(10)
  }
}

/** @returns the code of the error; `null` when somebody listens there */
async function refusal(url: string): Promise<string | null> {
  const socket = connectTo(url)
  try {
    await once(socket, 'connect')
    return null
  } catch (error) {
    return codeOf(error)
  } finally {
    socket.destroy()
  }
}

function connectTo(url: string): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname.replace(/^\[|\]$/g, ''))
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

/** The head and the first half of a POST, and its other half. */
export function halves(path: string, headers: Record<string, string>, body: string): [string, string] {
  const lines = Object.entries({
    host: 'localhost',
    'content-type': 'application/json',
    'content-length': `${Buffer.byteLength(body)}`,
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const middle = Math.ceil(body.length / 2)
  return [`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body.slice(0, middle)}`, body.slice(middle)]
}
