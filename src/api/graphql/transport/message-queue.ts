/**
 * Handles the messages of all WebSockets in rotation, a few in each turn of the event loop, so that a flood on some
 * does not delay the others. Each WebSocket also has a rate limit.
 */
import type { Limit } from '../../../database/limit.ts'

const maxMessagesPerTurn = 8
const maxBytesPerTurn = 64 * 1024
/** A message costs one token, and one more for each of these. */
const bytesPerToken = 4096
const tokensPerSecond = 2000
const maxTokens = 5000

export const messageLimit: Limit = {
  name: 'messages of a WebSocket',
  kind: 'rate',
  bounds: { connection: `${tokensPerSecond} in a second, after ${maxTokens} at once` },
  beyond: 'messages wait',
  page: 'graphql.md#connections-and-subscriptions',
}

export class MessageScheduler {
  readonly #ready: MessageQueue[] = []
  #isRunning = false

  /** @param queue with messages, not scheduled yet */
  schedule(queue: MessageQueue): void {
    this.#ready.push(queue)
    if (this.#isRunning) return
    this.#isRunning = true
    setImmediate(() => this.#run())
  }

  #run(): void {
    let bytes = 0
    for (let count = 0; count < maxMessagesPerTurn && bytes < maxBytesPerTurn; count++) {
      const next = this.#ready.shift()
      if (next === undefined) break
      bytes += next.handleNext()
    }
    this.#isRunning = this.#ready.length > 0
    if (this.#isRunning) setImmediate(() => this.#run())
  }
}

export interface MessageSource {
  handle(message: Buffer): void
  /** Stops reading until `resume`. */
  pause(): void
  resume(): void
}

/** The unhandled messages of one WebSocket. */
export class MessageQueue {
  readonly #scheduler: MessageScheduler
  readonly #source: MessageSource
  readonly #messages: Buffer[] = []
  #bytes = 0
  #tokens = maxTokens
  #refilledAtMs = performance.now()
  #waiting: NodeJS.Timeout | null = null

  constructor(scheduler: MessageScheduler, source: MessageSource) {
    this.#scheduler = scheduler
    this.#source = source
  }

  get bytes(): number {
    return this.#bytes
  }

  put(message: Buffer): void {
    this.#messages.push(message)
    this.#bytes += message.length
    if (this.#messages.length > 1) return
    this.#source.pause()
    this.#scheduler.schedule(this)
  }

  /** @returns the bytes of the message */
  handleNext(): number {
    const message = this.#messages[0]
    if (message === undefined) return 0 // the queue was cleared
    this.#source.handle(message)
    if (this.#messages.shift() === undefined) return 0 // cleared by `handle`
    this.#bytes -= message.length
    this.#spend(1 + Math.floor(message.length / bytesPerToken))
    return message.length
  }

  clear(): void {
    this.#messages.length = 0
    this.#bytes = 0
    if (this.#waiting !== null) clearTimeout(this.#waiting)
  }

  /** Continues at once, or when the rate allows it. */
  #spend(tokens: number): void {
    const now = performance.now()
    const refill = ((now - this.#refilledAtMs) / 1000) * tokensPerSecond
    this.#tokens = Math.min(maxTokens, this.#tokens + refill) - tokens
    this.#refilledAtMs = now
    if (this.#tokens >= 0) this.#proceed()
    else this.#waiting = setTimeout(() => this.#proceed(), (-this.#tokens / tokensPerSecond) * 1000)
  }

  #proceed(): void {
    if (this.#messages.length > 0) this.#scheduler.schedule(this)
    else this.#source.resume()
  }
}
