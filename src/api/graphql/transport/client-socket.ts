/** The bytes of one WebSocket: its messages in turn, its unread output, and its liveness. */
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { BufferBudget, BufferHolder } from '../../../core/limits/buffer-budget.ts'
import type { Checked, PeriodicCheck } from '../../../core/periodic-check.ts'
import type { Limit } from '../../../database/limit.ts'
import { MessageQueue, type MessageScheduler } from './message-queue.ts'
import type { WebSocketLimiter } from './web-socket-limiter.ts'

export interface ClientSocketParts {
  /** The timer by which each client is asked whether it is still connected. */
  pings: PeriodicCheck
  buffers: BufferBudget
  scheduler: MessageScheduler
  limiter: WebSocketLimiter
}

export const pingEveryMs = 12_000
/** The maximum of unread output of a client, in bytes. */
const maxBufferedBytes = 1024 * 1024

export const unreadOutputLimit: Limit = {
  name: 'unread output of a WebSocket',
  kind: 'memory',
  bounds: { connection: maxBufferedBytes },
  unit: 'bytes',
  beyond: 'the WebSocket is cut',
  reasons: ['unread bytes'],
  page: 'graphql.md#connections-and-subscriptions',
}

/** The maximum of input before the client is authenticated, in bytes. */
const maxInitBytes = 16 * 1024
const messageTooBig = 1009
/** The size of the header of a ping or a pong: two bytes, and a mask of four. */
const controlHeaderBytes = 6
const closeTimeoutMs = 2000
/** The time in which a refused client can receive the reason. */
const refusedTimeoutMs = 200

export class ClientSocket implements BufferHolder, Checked {
  readonly #socket: WebSocket
  readonly #parts: ClientSocketParts
  readonly #queue: MessageQueue
  #listener: (message: Buffer) => void = () => undefined
  /** Bytes of an incomplete message. */
  #partialBytes = 0
  /** The bytes counted by the budget. */
  #countedBytes = 0
  #isInitialized = false
  /** The client sent too much before it was authenticated, and is not read any more. */
  #isRefused = false
  #isReleased = false
  #isAlive = true

  /** @param wire the connection of the WebSocket */
  constructor(socket: WebSocket, wire: Duplex, parts: ClientSocketParts) {
    this.#socket = socket
    this.#parts = parts
    this.#queue = new MessageQueue(parts.scheduler, {
      handle: (message) => this.#handle(message),
      pause: () => socket.pause(),
      resume: () => {
        if (!this.#isRefused) socket.resume()
      },
    })
    wire.on('data', (chunk: Buffer) => this.#receive(chunk.length))
    socket.on('message', (data) => this.#enqueue(data as Buffer)) // of the binaryType `nodebuffer`
    socket.on('ping', (data) => this.#excludeControlFrame(data))
    socket.on('pong', (data) => {
      this.#isAlive = true
      this.#excludeControlFrame(data)
    })
    socket.on('error', () => socket.terminate()) // a violation of the protocol, or a broken connection
    const endPings = parts.pings.watch(this)
    // Not `once`, which takes more memory: a socket closes once.
    socket.on('close', () => {
      endPings()
      this.#release()
    })
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount + this.#partialBytes + this.#queue.bytes
  }

  cut(): void {
    this.#terminate('buffers', { bytes: this.bufferedBytes })
  }

  /** A client that has vanished does not answer the ping. */
  check(): void {
    if (!this.#isAlive) this.#socket.terminate()
    else {
      this.#isAlive = false
      this.#socket.ping()
    }
  }

  onMessage(listener: (message: Buffer) => void): void {
    this.#listener = listener
  }

  /** Lifts the limit of input before authentication. */
  setInitialized(): void {
    this.#isInitialized = true
  }

  /** @param withinMs the time after which a client that does not close is cut */
  close(code: number, reason: string, withinMs = closeTimeoutMs): void {
    this.#socket.close(code, reason)
    setTimeout(() => this.#socket.terminate(), withinMs).unref()
  }

  /** Resolves when the text has left this process, so that a slow client delays only its own results. */
  send(text: string): Promise<void> {
    if (this.#socket.readyState !== this.#socket.OPEN) return Promise.resolve()
    if (this.#socket.bufferedAmount > maxBufferedBytes) this.#terminate('unread bytes', {})
    return new Promise((resolve) => {
      this.#socket.send(text, () => {
        this.#account()
        resolve() // a broken connection is closed elsewhere
      })
      this.#account()
    })
  }

  #handle(message: Buffer): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#listener(message) // else it is closing
  }

  #receive(bytes: number): void {
    this.#partialBytes += bytes
    this.#account()
    if (!this.#isInitialized && !this.#isRefused && this.bufferedBytes > maxInitBytes) this.#refuse()
  }

  #refuse(): void {
    this.#isRefused = true
    this.close(messageTooBig, 'Message too big', refusedTimeoutMs)
    this.#socket.pause()
  }

  #enqueue(data: Buffer): void {
    this.#partialBytes = 0
    if (this.#socket.readyState === this.#socket.OPEN) this.#queue.put(data)
    this.#account()
  }

  /** A ping or a pong between the fragments of a message (RFC 6455, section 5.4) is not a part of it. */
  #excludeControlFrame({ length }: Buffer): void {
    this.#partialBytes = Math.max(0, this.#partialBytes - length - controlHeaderBytes)
    this.#account()
  }

  #terminate(reason: string, detail: Readonly<Record<string, unknown>>): void {
    this.#parts.limiter.report(reason, detail)
    this.#socket.terminate()
    this.#release()
  }

  /** Releases its buffers before the socket reports its end. */
  #release(): void {
    this.#isReleased = true
    this.#queue.clear()
    this.#parts.buffers.leave(this)
    this.#parts.buffers.give(this.#countedBytes)
    this.#countedBytes = 0
  }

  /** Updates the budget. */
  #account(): void {
    if (this.#isReleased) return
    const bytes = this.bufferedBytes
    const change = bytes - this.#countedBytes
    this.#countedBytes = bytes
    const { buffers } = this.#parts
    if (bytes === 0) buffers.leave(this)
    else buffers.enter(this)
    if (change > 0) buffers.take(change)
    else if (change < 0) buffers.give(-change)
  }
}
