/** A request whose body a test sends chunk by chunk. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface SlowBodyOptions {
  path: string
  headers: Record<string, string>
  /** Left out: the body comes in chunks. */
  length?: number
}

export class SlowBody {
  readonly #socket: Socket
  readonly #isChunked: boolean
  #reply = ''

  private constructor(socket: Socket, isChunked: boolean) {
    this.#socket = socket
    this.#isChunked = isChunked
    socket.on('error', () => undefined) // it may be cut
    socket.on('data', (bytes) => {
      this.#reply += String(bytes)
    })
  }

  static async begin(url: string, { path, headers, length }: SlowBodyOptions): Promise<SlowBody> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.setNoDelay(true)
    await once(socket, 'connect')
    const framing = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
    const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n${framing}\r\n${own.join('')}\r\n`,
    )
    return new SlowBody(socket, length === undefined)
  }

  write(text: string): void {
    this.#socket.write(this.#isChunked ? `${text.length.toString(16)}\r\n${text}\r\n` : text)
  }

  /** @returns status and text of the reply, when the connection has ended; 0 without a reply */
  async answer(): Promise<{ status: number; text: string }> {
    if (!this.#socket.closed) await once(this.#socket, 'close')
    return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(this.#reply)?.[1] ?? 0), text: this.#reply }
  }

  end(): void {
    if (this.#isChunked) this.#socket.write('0\r\n\r\n')
  }

  destroy(): void {
    this.#socket.destroy()
  }
}
