/** Receivers of deliveries on this machine. */
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { certificate, key } from './certificate.ts'

export interface Received {
  headers: http.IncomingHttpHeaders
  method: string
  path: string
  body: string
}

export interface Receiver {
  port: number
  /** `http://127.0.0.1:…` */
  url: string
  requests: Received[]
  /** All that were ever opened. */
  connections: Socket[]
  close(): Promise<void>
}

type Answer = (response: http.ServerResponse, request: Received) => void

/** Reads each request whole, then answers. */
export function startReceiver(
  answer: Answer,
  host = '127.0.0.1',
  { port = 0, secure = false }: { port?: number; secure?: boolean } = {},
): Promise<Receiver> {
  const requests: Received[] = []
  const listener = (request: http.IncomingMessage, response: http.ServerResponse): void => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { headers, method = '', url: path = '' } = request
      const received = { headers, method, path, body: Buffer.concat(chunks).toString() }
      requests.push(received)
      answer(response, received)
    })
  }
  const server = secure
    ? https.createServer({ key, cert: certificate }, listener)
    : http.createServer(listener)
  return listen(server, host, port, requests)
}

/** Hands over bare connections. Incoming data is read unless `accept` pauses them. */
export function startListener(accept: (socket: Socket) => void, host = '127.0.0.1'): Promise<Receiver> {
  const server = createServer((socket) => {
    socket.resume()
    accept(socket)
  })
  return listen(server, host, 0, [])
}

/** Writes `first` at once, and then one byte after the other without end. */
export function drip(socket: Socket, first: string, everyMs: number): void {
  socket.write(first)
  const timer = setInterval(() => socket.write('x'), everyMs)
  socket.once('close', () => clearInterval(timer))
}

/** A reply of this length, no faster than it is read. */
export function pour(socket: Socket, bytes: number, status = '200 OK'): void {
  socket.write(`HTTP/1.1 ${status}\r\nContent-Length: ${bytes}\r\n\r\n`)
  const chunk = Buffer.alloc(65_536, 'x')
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', more)
  more()
}

async function listen(server: Server, host: string, wanted: number, requests: Received[]): Promise<Receiver> {
  const connections: Socket[] = []
  server.on('connection', (socket: Socket) => {
    connections.push(socket)
    socket.on('error', () => undefined) // the sender breaks off on purpose
  })
  server.listen(wanted, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    requests,
    connections,
    close: async () => {
      server.close()
      for (const socket of connections) socket.destroy()
      await once(server, 'close')
    },
  }
}
