/** Listens, and stops without dropping a request that has arrived. */

import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer, Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { errorCode, errorMessage } from '../../../database/thrown.ts'
import { isEventStream } from '../reply/send-events.ts'
import type { OpenReplies } from './open-replies.ts'

/** How long a stop waits, after the last reply, for a next request that may already be in transit. */
const defaultLingerMs = 1000
/** How long an event stream that was ended may still send data that its reader has not taken. */
const streamEndMs = 500

/** The queue of connections to accept. A client beyond it tries again after a second. */
const backlog = 4096

/**
 * Listening sockets on one address. Node.js accepts one connection from each in a turn of the event loop: with a single
 * socket, hundreds of connections that arrive together delay the next client by as many turns. Only Linux distributes
 * connections over sockets that share a port.
 */
const socketsPerAddress = process.platform === 'linux' ? 8 : 1

/** The service cannot listen on the address. The message states the reason. */
export class CannotListen extends Error {}

export class Listener {
  readonly #app: FastifyInstance
  readonly #lingerMs: number
  readonly #secondary: Server[] = []
  readonly #connections = new Set<Socket>()
  readonly #replies: OpenReplies

  /** @param app an application that is not ready yet; its `close` then waits for open replies */
  constructor(app: FastifyInstance, replies: OpenReplies, lingerMs = defaultLingerMs) {
    this.#app = app
    this.#replies = replies
    this.#lingerMs = lingerMs
    app.server.on('connection', (socket) => {
      this.#connections.add(socket)
      socket.on('close', () => this.#connections.delete(socket)) // `once` takes more memory
    })
    // A connection that cannot be accepted must not stop the service.
    app.server.on('error', (error) => this.#app.log.warn({ err: error }, 'connection not accepted'))
    app.server.on('request', (_request, response) => replies.track(response))
    app.addHook('preClose', () => this.#drain())
  }

  /**
   * @param host `localhost` stands for its addresses of both families, so that every client reaches the service
   * @returns the port
   * @throws CannotListen
   */
  async listen(host: string, port: number): Promise<number> {
    try {
      const addresses = await addressesOf(host)
      const [first = host] = addresses
      await checkFree(first, port)
      await this.#app.listen(socketOptions(first, port))
      const { port: bound } = this.#app.server.address() as AddressInfo // it listens on TCP
      for (const address of addresses) await this.#addSockets(address, bound, address === first ? 1 : 0)
      return bound
    } catch (error) {
      throw new CannotListen(describeListenError(error, host, { name: 'PORT', port }), { cause: error })
    }
  }

  /** @param sockets the number of sockets that already listen on the address */
  async #addSockets(host: string, port: number, sockets: number): Promise<void> {
    try {
      if (sockets === 0) await checkFree(host, port)
      for (let open = sockets; open < socketsPerAddress; open++) await this.#addSocket(host, port)
    } catch (error) {
      if (errorCode(error) !== 'EADDRNOTAVAIL') throw error // the name may have an address that the machine does not have
    }
  }

  /** Passes its connections to the one server, which applies limits and time-outs to all. */
  async #addSocket(host: string, port: number): Promise<void> {
    const { server } = this.#app
    const secondary = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      server.emit('connection', socket)
    })
    await once(secondary.listen(socketOptions(host, port)), 'listening')
    secondary.on('error', (error) => server.emit('error', error))
    this.#secondary.push(secondary)
  }

  /** Refuses new connections, and ends each open one after its last reply, which announces the end. */
  async #drain(): Promise<void> {
    const { server } = this.#app
    // Not the server's own close(), which cuts idle connections at once and stops the time-outs of slow requests.
    for (const each of [server, ...this.#secondary]) {
      if (each.listening) Server.prototype.close.call(each)
    }
    for (const response of this.#replies.all()) announceEnd(response)
    const lingerMs = this.#lingerMs - (performance.now() - this.#replies.lastClosedAtMs)
    if (this.#connections.size > 0 && lingerMs > 0) await delay(lingerMs)
    const answered = this.#endAfterReplies()
    for (const socket of this.#connections) if (!this.#replies.isOpenOn(socket)) socket.destroySoon()
    await answered
  }

  /** Ends each connection after its last reply. @returns resolves after the last of all */
  #endAfterReplies(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#replies.size === 0) resolve()
      this.#replies.onClosed(({ req: { socket } }) => {
        if (!this.#replies.isOpenOn(socket)) socket.destroySoon()
        if (this.#replies.size === 0) resolve()
      })
    })
  }
}

function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
  else if (isEventStream(response)) setTimeout(() => response.destroy(), streamEndMs).unref()
}

function socketOptions(host: string, port: number) {
  return { host, port, backlog, reusePort: socketsPerAddress > 1 }
}

/** Refuses a port of another process. Sockets with `reusePort` would otherwise share it. */
async function checkFree(host: string, port: number): Promise<void> {
  if (port === 0 || socketsPerAddress === 1) return
  const server = createServer()
  await once(server.listen({ host, port }), 'listening')
  await new Promise((closed) => server.close(closed))
}

/** `localhost` has one address of each family that the machine supports. */
export async function addressesOf(host: string): Promise<string[]> {
  if (host !== 'localhost') return [host]
  return [...new Set((await lookup(host, { all: true })).map(({ address }) => address))]
}

/** @param setting the setting of the port */
export function describeListenError(
  error: unknown,
  host: string,
  { name, port }: { name: string; port: number },
): string {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use: choose another ${name}, or stop the process that uses it.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${host} is not an address of this machine.`
    case 'EACCES':
      return `Port ${port} on ${host} requires privileges that this process does not have: choose another ${name}.`
    default:
      return `Cannot listen on ${host}:${port} (${errorMessage(error)}).`
  }
}
