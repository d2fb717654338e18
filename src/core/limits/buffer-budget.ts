/**
 * Bounds the bytes that are buffered for slow clients. Beyond it, the client with the largest buffer is
 * disconnected.
 */

import type { Limit } from '../../database/limit.ts'
import type { LimitMonitor } from './limit-monitor.ts'

export interface BufferHolder {
  /** The bytes that are buffered for the client. */
  readonly bufferedBytes: number
  /** Disconnects the client, and releases its buffer at once. */
  cut(): void
}

export const defaultMaxBufferedBytes = 64 * 1024 * 1024

export const bufferLimit: Limit = {
  name: 'data for slow clients of WebSockets and streams, and messages received in part',
  kind: 'memory',
  bounds: { instance: defaultMaxBufferedBytes },
  unit: 'bytes',
  changedBy: ['maxBufferedBytes'],
  beyond: 'the client with the most is cut',
  reasons: ['buffers'],
  metrics: ['client_buffered_bytes'],
  page: 'graphql.md#connections-and-subscriptions',
}

export class BufferBudget {
  readonly maxBytes: number
  readonly #monitor: LimitMonitor
  readonly #holders = new Set<BufferHolder>()
  #bytes = 0

  constructor(maxBytes: number, monitor: LimitMonitor) {
    this.maxBytes = maxBytes
    this.#monitor = monitor
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Registers a holder whose buffer is no longer empty. */
  enter(holder: BufferHolder): void {
    this.#holders.add(holder)
  }

  leave(holder: BufferHolder): void {
    this.#holders.delete(holder)
  }

  /** Counts bytes, once for all holders that share them. */
  take(bytes: number): void {
    this.#change(bytes)
    while (this.#bytes > this.maxBytes) {
      const largest = this.#largest()
      if (largest === null) return
      this.#holders.delete(largest)
      largest.cut()
    }
  }

  give(bytes: number): void {
    this.#change(-bytes)
  }

  #change(bytes: number): void {
    this.#bytes += bytes
    this.#monitor.observe('buffers', this.#bytes, this.maxBytes)
  }

  #largest(): BufferHolder | null {
    let largest: BufferHolder | null = null
    let maxBytes = -1
    for (const holder of this.#holders) {
      const { bufferedBytes } = holder
      if (bufferedBytes <= maxBytes) continue
      largest = holder
      maxBytes = bufferedBytes
    }
    return largest
  }
}
