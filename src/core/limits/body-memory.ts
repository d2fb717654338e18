/**
 * Bounds what request bodies hold that have not come to their end: for an address, and in all. Beyond it the one that
 * began first is cut: whoever means to send a body is done before those who hold many.
 */
import type { LimitMonitor } from './limit-monitor.ts'

export interface BodyMemoryBounds {
  maxBytes: number
  maxAddressBytes: number
}

const defaultMaxBytes = 64 * 1024 * 1024
const limit = 'request bodies'

/** @param limitBytes the largest body: one alone is never too much */
export function defaultBodyMemory(limitBytes: number): BodyMemoryBounds {
  const maxBytes = Math.max(defaultMaxBytes, 8 * limitBytes)
  return { maxBytes, maxAddressBytes: maxBytes / 4 }
}

export class BodyMemory {
  readonly #bounds: BodyMemoryBounds
  readonly #monitor: LimitMonitor
  /** In the order in which they began. */
  readonly #bodies = new Set<PartialBody>()
  readonly #byAddress = new Map<string, number>()
  #bytes = 0

  constructor(bounds: BodyMemoryBounds, monitor: LimitMonitor) {
    this.#bounds = bounds
    this.#monitor = monitor
  }

  get bytes(): number {
    return this.#bytes
  }

  get maxBytes(): number {
    return this.#bounds.maxBytes
  }

  /** @param cut gives up what is held, at once */
  begin(address: string, cut: () => void): PartialBody {
    const body = new PartialBody(address, cut, (bytes) => this.#hold(body, bytes))
    this.#bodies.add(body)
    return body
  }

  #hold(body: PartialBody, bytes: number): void {
    const { address } = body
    this.#bytes += bytes - body.bytes
    const ofAddress = (this.#byAddress.get(address) ?? 0) + bytes - body.bytes
    body.bytes = bytes
    if (ofAddress > 0) this.#byAddress.set(address, ofAddress)
    else this.#byAddress.delete(address)
    if (bytes === 0) this.#bodies.delete(body)
    while ((this.#byAddress.get(address) ?? 0) > this.#bounds.maxAddressBytes) this.#cutOldest(address)
    while (this.#bytes > this.#bounds.maxBytes) this.#cutOldest(null)
    this.#monitor.observe(limit, this.#bytes, this.#bounds.maxBytes)
  }

  /** @param address whose; `null`: of all */
  #cutOldest(address: string | null): void {
    for (const body of this.#bodies) {
      if (address !== null && body.address !== address) continue
      this.#monitor.refused(limit, { address: body.address })
      body.release()
      body.cut()
      return
    }
  }
}

/** What one body holds. */
export class PartialBody {
  readonly address: string
  readonly cut: () => void
  /** To be written by its memory alone. */
  bytes = 0
  readonly #hold: (bytes: number) => void

  constructor(address: string, cut: () => void, hold: (bytes: number) => void) {
    this.address = address
    this.cut = cut
    this.#hold = hold
  }

  /** It holds so many bytes now. It may be cut before this returns. */
  hold(bytes: number): void {
    this.#hold(bytes)
  }

  release(): void {
    this.#hold(0)
  }
}
