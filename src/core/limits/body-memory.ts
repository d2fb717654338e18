/**
 * Bounds the memory of incomplete request bodies, for each address and in total. Beyond the bound the oldest body is
 * dropped ("cut"): an honest client completes its body sooner than an attacker who keeps many of them open.
 */

import type { Limit } from '../../database/limit.ts'
import type { LimitMonitor } from './limit-monitor.ts'

export interface BodyMemoryBounds {
  maxBytes: number
  maxAddressBytes: number
}

const defaultMaxBytes = 64 * 1024 * 1024
const reason = 'request bodies'

export const bodyMemoryLimit: Limit = {
  name: 'request bodies that have been received in part',
  kind: 'memory',
  bounds: { instance: defaultMaxBytes, address: defaultMaxBytes / 4 },
  unit: 'bytes',
  changedBy: ['BODY_LIMIT_BYTES', 'WEBHOOK_BODY_LIMIT_BYTES', 'bodyMemory'],
  beyond: 'the body that began first gets 503 with `Retry-After`',
  reasons: [reason],
  metrics: ['request_body_bytes'],
  page: 'api/requests.md#bodies',
}

/** @param limitBytes the largest body, so that a single body always fits */
export function defaultBodyMemory(limitBytes: number): BodyMemoryBounds {
  const maxBytes = Math.max(defaultMaxBytes, 8 * limitBytes)
  return { maxBytes, maxAddressBytes: maxBytes / 4 }
}

export class BodyMemory {
  readonly #bounds: BodyMemoryBounds
  readonly #monitor: LimitMonitor
  /** The incomplete bodies in the order of their beginning. */
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

  /** @param cut releases the body at once */
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
    this.#monitor.observe(reason, this.#bytes, this.#bounds.maxBytes)
  }

  /** @param address of the body; `null`: any */
  #cutOldest(address: string | null): void {
    for (const body of this.#bodies) {
      if (address !== null && body.address !== address) continue
      this.#monitor.refused(reason, { address: body.address })
      body.release()
      body.cut()
      return
    }
  }
}

/** The memory of one body. */
export class PartialBody {
  readonly address: string
  readonly cut: () => void
  /** Written by `BodyMemory` only. */
  bytes = 0
  readonly #hold: (bytes: number) => void

  constructor(address: string, cut: () => void, hold: (bytes: number) => void) {
    this.address = address
    this.cut = cut
    this.#hold = hold
  }

  /** Sets the bytes that the body holds. The body may be cut before this returns. */
  hold(bytes: number): void {
    this.#hold(bytes)
  }

  release(): void {
    this.#hold(0)
  }
}
