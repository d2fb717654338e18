/** Connections that send the next request after each reply, within a common rate. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ReplyReader } from '../support/http/reply-reader.ts'
import type { Front } from './front.ts'

export interface Hammer {
  connections?: number
  /** Beyond it the load would be that of the generator: it shares the machine with the service. */
  perSecond?: number
  /** Requests that are sent without waiting for the replies to the former ones. */
  pipelined?: number
  /** Each request has a connection of its own. */
  churns?: boolean
  /** All come through the proxy, which names their addresses. */
  proxied?: boolean
  /** For HEAD. */
  bodiless?: boolean
  /** The next request. @param turn counts from 0, for all connections */
  next(turn: number): Buffer
}

export const usualConnections = 12
const usualPerSecond = 1000
const reconnectAfterMs = 50

export function hammer(front: Front, options: Hammer): void {
  const pace = new Pace(options.perSecond ?? usualPerSecond)
  for (let index = 0; index < (options.connections ?? usualConnections); index++) {
    void keepHammering(front, options, pace, index)
  }
}

async function keepHammering(front: Front, options: Hammer, pace: Pace, index: number): Promise<void> {
  while (!front.signal.aborted) {
    await hammerOnce(front, options, pace, index)
    if (options.churns !== true) await sleep(reconnectAfterMs)
  }
}

/** @returns when the connection has ended */
function hammerOnce(front: Front, options: Hammer, pace: Pace, index: number): Promise<void> {
  const { pipelined = 1, bodiless = false, churns = false, proxied = false } = options
  return new Promise((resolve) => {
    const socket = front.connect(proxied ? null : index)
    let unanswered = 0
    const ask = () => {
      if (front.signal.aborted || !socket.writable) return
      for (; unanswered < pipelined; unanswered++) {
        front.count('sent')
        socket.write(options.next(pace.turn++))
      }
    }
    const askInTime = () => {
      const ms = pace.waitMs(pipelined)
      if (ms > 0) setTimeout(ask, ms)
      else ask()
    }
    const reader = new ReplyReader(({ status }) => {
      front.count(status)
      unanswered--
      if (churns) socket.destroy()
      else if (unanswered === 0) askInTime()
    })
    socket.on('data', (bytes: Buffer) => reader.push(bytes, bodiless))
    socket.once('connect', askInTime)
    socket.once('close', () => {
      if (unanswered > 0 && !front.signal.aborted) front.count('cut')
      resolve()
    })
  })
}

class Pace {
  turn = 0
  readonly #msEach: number
  #nextAtMs = performance.now()

  constructor(perSecond: number) {
    this.#msEach = 1000 / perSecond
  }

  waitMs(requests: number): number {
    const now = performance.now()
    const at = Math.max(this.#nextAtMs, now)
    this.#nextAtMs = at + this.#msEach * requests
    return at - now
  }
}
