/** Bounds the bytes that wait for all slow readers and writers together: beyond it, the one with the most is cut. */
import type { LimitMonitor } from './limit-monitor.ts'

export interface BufferHolder {
  /** What waits on its account at present. */
  readonly bufferedBytes: number
  /** Gives up what it holds, at once. */
  cut(): void
}

export const defaultMaxBufferedBytes = 64 * 1024 * 1024

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

  /** To be called when a holder has begun to hold something. */
  enter(holder: BufferHolder): void {
    this.#holders.add(holder)
  }

  leave(holder: BufferHolder): void {
    this.#holders.delete(holder)
  }

  /** Bytes are held: each byte counts once, however many holders share it. */
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
    let most = -1
    for (const holder of this.#holders) {
      const { bufferedBytes } = holder
      if (bufferedBytes <= most) continue
      largest = holder
      most = bufferedBytes
    }
    return largest
  }
}
