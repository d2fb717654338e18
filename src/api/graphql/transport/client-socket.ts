/** One WebSocket as bytes: what it sends in turn, what it has not taken yet, and whether it is still there. */
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { BufferBudget, BufferHolder } from '../../../core/limits/buffer-budget.ts'
import { MessageQueue, type MessageScheduler } from './message-queue.ts'
import type { WebSocketLimiter } from './web-socket-limiter.ts'

export interface ClientSocketParts {
  buffers: BufferBudget
  scheduler: MessageScheduler
  limiter: WebSocketLimiter
}

const pingEveryMs = 12_000
/** What a client may leave unread. */
const maxBufferedBytes = 1024 * 1024
/** Of all that comes before a client has said who it is. */
const maxInitBytes = 16 * 1024
const messageTooBig = 1009
/** Of a ping or a pong of a client, beside its payload. */
const controlHeaderBytes = 6
const closeTimeoutMs = 2000

export class ClientSocket implements BufferHolder {
  readonly #socket: WebSocket
  readonly #parts: ClientSocketParts
  readonly #queue: MessageQueue
  #listener: (message: Buffer) => void = () => undefined
  /** Bytes of a message that has not come to its end. */
  #partialBytes = 0
  /** What the budget knows of. */
  #taken = 0
  #isInitialized = false
  #isReleased = false
  #isAlive = true

  /** @param wire on which the WebSocket is */
  constructor(socket: WebSocket, wire: Duplex, parts: ClientSocketParts) {
    this.#socket = socket
    this.#parts = parts
    this.#queue = new MessageQueue(parts.scheduler, {
      handle: (message) => this.#handle(message),
      pause: () => socket.pause(),
      resume: () => socket.resume(),
    })
    wire.on('data', (chunk: Buffer) => this.#receive(chunk.length))
    socket.on('message', (data) => this.#enqueue(data as Buffer)) // what its binaryType, nodebuffer, says
    socket.on('ping', (data) => this.#leaveOut(data))
    socket.on('pong', (data) => {
      this.#isAlive = true
      this.#leaveOut(data)
    })
    socket.on('error', () => socket.terminate()) // it breaks the protocol, or the connection has broken
    const timer = setInterval(() => this.#ping(), pingEveryMs).unref()
    socket.once('close', () => {
      clearInterval(timer)
      this.#release()
    })
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount + this.#partialBytes + this.#queue.bytes
  }

  cut(): void {
    this.#terminate('buffers', { bytes: this.bufferedBytes })
  }

  onMessage(listener: (message: Buffer) => void): void {
    this.#listener = listener
  }

  /** From now on its messages may be as large as any. */
  setInitialized(): void {
    this.#isInitialized = true
  }

  /** @param withinMs a client that does not close too is cut then */
  close(code: number, reason: string, withinMs = closeTimeoutMs): void {
    this.#socket.close(code, reason)
    setTimeout(() => this.#socket.terminate(), withinMs).unref()
  }

  /** Resolves when the text has left this process, so that a slow client holds up its own results alone. */
  send(text: string): Promise<void> {
    if (this.#socket.readyState !== this.#socket.OPEN) return Promise.resolve()
    if (this.#socket.bufferedAmount > maxBufferedBytes) this.#terminate('unread bytes', {})
    return new Promise((resolve) => {
      this.#socket.send(text, () => {
        this.#account()
        resolve() // a connection that breaks meanwhile is closed elsewhere
      })
      this.#account()
    })
  }

  #handle(message: Buffer): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#listener(message) // else it was told to go, and does not
  }

  #receive(bytes: number): void {
    this.#partialBytes += bytes
    if (!this.#isInitialized && this.bufferedBytes > maxInitBytes)
      this.close(messageTooBig, 'Message too big')
    this.#account()
  }

  #enqueue(data: Buffer): void {
    this.#partialBytes = 0
    if (this.#socket.readyState === this.#socket.OPEN) this.#queue.put(data)
    this.#account()
  }

  /** A ping or a pong may stand between the fragments of a message (RFC 6455, section 5.4), and is none of them. */
  #leaveOut({ length }: Buffer): void {
    this.#partialBytes = Math.max(0, this.#partialBytes - length - controlHeaderBytes)
    this.#account()
  }

  /** A peer that vanished without a word does not answer. */
  #ping(): void {
    if (!this.#isAlive) this.#socket.terminate()
    else {
      this.#isAlive = false
      this.#socket.ping()
    }
  }

  #terminate(reason: string, detail: Readonly<Record<string, unknown>>): void {
    this.#parts.limiter.report(reason, detail)
    this.#socket.terminate()
    this.#release()
  }

  /** What it holds goes with it, although its end is told of later. */
  #release(): void {
    this.#isReleased = true
    this.#queue.clear()
    this.#parts.buffers.leave(this)
    this.#parts.buffers.give(this.#taken)
    this.#taken = 0
  }

  /** Tells the budget what has changed. */
  #account(): void {
    if (this.#isReleased) return
    const bytes = this.bufferedBytes
    const change = bytes - this.#taken
    this.#taken = bytes
    const { buffers } = this.#parts
    if (bytes === 0) buffers.leave(this)
    else buffers.enter(this)
    if (change > 0) buffers.take(change)
    else if (change < 0) buffers.give(-change)
  }
}
