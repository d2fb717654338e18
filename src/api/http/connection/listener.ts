/** Where the service listens, and how it ends without dropping a request that has arrived. */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer, Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** The next request on a connection that was in use a moment ago may be on its way, from a client that is busy or far. */
const defaultLingerMs = 1000
/** A stream of events that was ended has only this long to get rid of what its reader has not taken. */
const streamEndsWithinMs = 500

/** Connections that wait to be accepted: the client of one that finds no place tries again after a second. */
const backlog = 4096

/**
 * Listening sockets on one address: Node.js accepts one connection from each in a turn of the event loop, so that
 * hundreds of connections that arrive together would delay the next client by as many turns. Linux alone spreads
 * connections over sockets that share a port.
 */
const socketsPerAddress = process.platform === 'linux' ? 8 : 1

/** Nothing can listen there; the message says why. */
export class CannotListen extends Error {}

export class Listener {
  readonly #app: FastifyInstance
  readonly #lingerMs: number
  readonly #secondary: Server[] = []
  readonly #connections = new Set<Socket>()
  readonly #answering = new Set<ServerResponse>()
  #lastAnswerAtMs = Number.NEGATIVE_INFINITY
  #idle: (() => void) | null = null

  /** @param app not ready yet: closing it becomes graceful */
  constructor(app: FastifyInstance, lingerMs = defaultLingerMs) {
    this.#app = app
    this.#lingerMs = lingerMs
    app.server.on('connection', (socket) => {
      this.#connections.add(socket)
      socket.once('close', () => this.#connections.delete(socket))
    })
    // Where a connection cannot be accepted, others can.
    app.server.on('error', (error) => this.#app.log.warn({ err: error }, 'connection not accepted'))
    app.server.on('request', (_request, response) => this.#follow(response))
    app.addHook('preClose', () => this.#drain())
  }

  /**
   * @param host `localhost` means its addresses of both families, so that every client finds the service there
   * @returns the port
   * @throws CannotListen
   */
  async listen(host: string, port: number): Promise<number> {
    try {
      const addresses = await addressesOf(host)
      const [first = host] = addresses
      await checkFree(first, port)
      await this.#app.listen(socketOptions(first, port))
      const { port: taken } = this.#app.server.address() as AddressInfo // it listens on TCP
      for (const address of addresses) await this.#listenFurther(address, taken, address === first ? 1 : 0)
      return taken
    } catch (error) {
      throw new CannotListen(explain(error, host, { name: 'PORT', port }), { cause: error })
    }
  }

  /** @param sockets that listen there already */
  async #listenFurther(host: string, port: number, sockets: number): Promise<void> {
    try {
      if (sockets === 0) await checkFree(host, port)
      for (let open = sockets; open < socketsPerAddress; open++) await this.#addSocket(host, port)
    } catch (error) {
      if (codeOf(error) !== 'EADDRNOTAVAIL') throw error // the name has an address that the machine has not
    }
  }

  /** Its connections go to the one server, which limits, times and ends them all alike. */
  async #addSocket(host: string, port: number): Promise<void> {
    const { server } = this.#app
    const secondary = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      server.emit('connection', socket)
    })
    await once(secondary.listen(socketOptions(host, port)), 'listening')
    secondary.on('error', (error) => server.emit('error', error))
    this.#secondary.push(secondary)
  }

  /** Every request passes here: what only a stop needs is found out then. */
  #follow(response: ServerResponse): void {
    this.#answering.add(response)
    // Not `once`, which costs more: a response closes once.
    response.on('close', () => {
      this.#answering.delete(response)
      this.#lastAnswerAtMs = performance.now()
      if (this.#idle === null) return
      const { socket } = response.req
      if (!this.#isAnswering(socket)) socket.destroySoon()
      if (this.#answering.size === 0) this.#idle()
    })
  }

  #isAnswering(socket: Socket): boolean {
    return [...this.#answering].some(({ req }) => req.socket === socket)
  }

  /** New connections are refused, open ones are told that they end, and each ends with its last answer. */
  async #drain(): Promise<void> {
    const { server } = this.#app
    // Not the server's own close(): that cuts idle connections at once, and no longer ends slow requests.
    for (const each of [server, ...this.#secondary]) {
      if (each.listening) Server.prototype.close.call(each)
    }
    for (const response of this.#answering) {
      if (!response.headersSent) response.setHeader('connection', 'close')
      else if (isEventStream(response)) setTimeout(() => response.destroy(), streamEndsWithinMs).unref()
    }
    const lingerMs = this.#lingerMs - (performance.now() - this.#lastAnswerAtMs)
    if (this.#connections.size > 0 && lingerMs > 0) await delay(lingerMs)
    const answered = new Promise<void>((resolve) => {
      this.#idle = resolve
      if (this.#answering.size === 0) resolve()
    })
    for (const socket of this.#connections) if (!this.#isAnswering(socket)) socket.destroySoon()
    await answered
  }
}

function socketOptions(host: string, port: number) {
  return { host, port, backlog, reusePort: socketsPerAddress > 1 }
}

/** Sockets that share a port would share it with those of another process: this one shares with none. */
async function checkFree(host: string, port: number): Promise<void> {
  if (port === 0 || socketsPerAddress === 1) return
  const server = createServer()
  await once(server.listen({ host, port }), 'listening')
  await new Promise((closed) => server.close(closed))
}

function isEventStream(response: ServerResponse): boolean {
  return String(response.getHeader('content-type')).startsWith('text/event-stream')
}

/** `localhost` has one of each family, where the machine has both. */
export async function addressesOf(host: string): Promise<string[]> {
  if (host !== 'localhost') return [host]
  return [...new Set((await lookup(host, { all: true })).map(({ address }) => address))]
}

/** @param setting the one that has named the port */
export function explain(
  error: unknown,
  host: string,
  { name, port }: { name: string; port: number },
): string {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use: choose another ${name}, or stop the process that uses it.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${host} is not an address of this machine.`
    case 'EACCES':
      return `Port ${port} on ${host} requires privileges that this process does not have: choose another ${name}.`
    default:
      return `Cannot listen on ${host}:${port} (${error instanceof Error ? error.message : String(error)}).`
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
