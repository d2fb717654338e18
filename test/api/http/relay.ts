/** A way to a server that can be cut, blocked, and opened again. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export class Relay implements AsyncDisposable {
  readonly #server: Server
  readonly #port: number
  readonly #sockets = new Set<Socket>()
  #listensOn = 0
  #blocked = false

  private constructor(port: number) {
    this.#port = port
    this.#server = createServer((incoming) => this.#join(incoming))
  }

  /** @param url of the server behind it @returns the relay, and the same url by way of it */
  static async to(url: string): Promise<{ relay: Relay; url: string }> {
    const target = new URL(url)
    const relay = new Relay(Number(target.port))
    await relay.open()
    target.port = `${relay.#listensOn}`
    return { relay, url: target.href }
  }

  async open(): Promise<void> {
    this.#blocked = false
    await once(this.#server.listen(this.#listensOn, '127.0.0.1'), 'listening')
    this.#listensOn = (this.#server.address() as AddressInfo).port
  }

  /** Ends every connection and refuses new ones. */
  async cut(): Promise<void> {
    const closed = once(this.#server.close(), 'close')
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  /** Keeps every connection, and passes on nothing any more. */
  block(): void {
    this.#blocked = true
    for (const socket of this.#sockets) socket.pause()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.cut()
  }

  #join(incoming: Socket): void {
    const outgoing = connect(this.#port, '127.0.0.1')
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      this.#sockets.add(from)
      from.on('data', (chunk) => to.write(chunk))
      from.on('error', () => undefined) // both ends go together, below
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
      if (this.#blocked) from.pause()
    }
  }
}
