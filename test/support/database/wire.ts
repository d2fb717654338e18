/** A proxy in front of a PostgreSQL server: it can be cut and held without affecting other clients of the server. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export class Wire {
  readonly url: string
  readonly #target: URL
  readonly #port: number
  #server: Server | null
  readonly #sockets = new Set<Socket>()

  private constructor(server: Server, url: string) {
    this.#server = server
    this.#target = new URL(url)
    this.#port = (server.address() as AddressInfo).port // it listens on TCP
    const own = new URL(url)
    own.host = `127.0.0.1:${this.#port}`
    this.url = own.href
    server.on('connection', (socket) => this.#join(socket))
  }

  /** @param url of the database at the other end */
  static async to(url: string): Promise<Wire> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Wire(server, url)
  }

  /** Connections break, and new ones are refused. */
  async cut(): Promise<void> {
    const server = this.#server
    this.#server = null
    server?.close()
    for (const socket of this.#sockets) socket.resetAndDestroy()
    if (server?.listening === true) await once(server, 'close')
  }

  /** Connections stay open and silent, like those to a server whose network is gone. */
  hold(): void {
    for (const socket of this.#sockets) socket.pause()
    this.holdNew()
  }

  /** New connections are accepted and stay silent; existing ones go on. */
  holdNew(): void {
    this.#server?.removeAllListeners('connection')
    this.#server?.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.on('error', () => socket.destroy())
    })
  }

  /** New connections reach the server again; held ones stay silent. */
  async mend(): Promise<void> {
    const server = this.#server ?? createServer().listen(this.#port, '127.0.0.1')
    if (this.#server === null) await once(server, 'listening')
    server.removeAllListeners('connection')
    server.on('connection', (socket) => this.#join(socket))
    this.#server = server
  }

  #join(near: Socket): void {
    const far = connect(Number(this.#target.port), this.#target.hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        this.#sockets.delete(one)
        other.destroy()
      })
    }
    near.pipe(far)
    far.pipe(near)
  }
}
