/** A real mail server on loopback, whose answers a test decides. */
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  /** As it was sent, headers and all. */
  source: string
  user: string | null
  isEncrypted: boolean
}

export interface MailServer extends AsyncDisposable {
  readonly port: number
  readonly received: ReceivedMail[]
  /** Connections so far. */
  connections: number
  /** Ends the open connections without a word. */
  drop(): void
  close(): Promise<void>
}

export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/** @param port of a server that was closed; a free one if absent */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.secure === true || options.key !== undefined ? [] : ['STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onData: async (stream, session, done) => {
      const { mailFrom, rcptTo } = session.envelope
      const source = await text(stream)
      received.push({
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        source,
        user: session.user === undefined ? null : String(session.user),
        isEncrypted: session.secure,
      })
      done()
    },
    ...options,
  })
  server.on('error', () => undefined) // clients that break off
  const sockets = new Set<Socket>()
  const used = await listeningPort(server, port)
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()))
  const started: MailServer = {
    port: used,
    received,
    connections: 0,
    close,
    drop: () => {
      for (const socket of sockets) socket.destroy()
    },
    [Symbol.asyncDispose]: close,
  }
  server.server.on('connection', (socket) => {
    started.connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  return started
}

async function listeningPort(server: SMTPServer, port: number): Promise<number> {
  const listener = server.listen(port, '127.0.0.1')
  if (!listener.listening) await once(listener, 'listening')
  return (listener.address() as AddressInfo).port // of a server on TCP
}
