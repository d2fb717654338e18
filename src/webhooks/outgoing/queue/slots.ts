/** How much may be under way at once, and whose: receivers that hang must not hold up those of anybody else. */
import { type Line, subscriptionKey } from './lane.ts'
import { Usage } from './usage.ts'

export interface SlotLimits {
  total: number
  tenant: number
  /** Of one subscription: what a receiver that answers well can reach. */
  subscription: number
  /** What the data of all events under way may come to; the last one taken may go beyond. */
  bytes: number
}

export const usualLimits: SlotLimits = {
  total: 2048,
  tenant: 256,
  subscription: 128,
  bytes: 64 * 1024 * 1024,
}

/** This share of all slots is for tenants that have hardly anything under way. */
const reservedShare = 0.25
const hardlyAnything = 2
/** Of all bytes, at most. */
const tenantShareOfBytes = 0.25
const subscriptionShareOfBytes = 0.125
const firstWindow = 8
const leastWindow = 2
const mostWindows = 10_000

export class Slots {
  readonly #limits: SlotLimits
  readonly #exchanges = new Usage()
  readonly #bytes = new Usage()
  /** Grows with each success, halves with each failure: a receiver that hangs soon holds few slots. */
  readonly #windows = new Map<string, number>()

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  get inUse(): number {
    return this.#exchanges.total
  }

  get bytesInUse(): number {
    return this.#bytes.total
  }

  /** How many more of this line may be sent now: none once the bytes are used up. */
  free(line: Line): number {
    if (!this.#hasRoomForBytes(line)) return 0
    const { total } = this.#limits
    const subscription = this.#windowOf(subscriptionKey(line.tenantId, line.subscriptionId))
    const room = this.#exchanges.room(line, { ...this.#limits, subscription })
    const common = Math.min(room.total - Math.floor(total * reservedShare), room.tenant)
    const reserved = Math.min(room.total, hardlyAnything - this.#exchanges.ofTenant(line.tenantId))
    return Math.max(0, Math.min(room.subscription, Math.max(common, reserved)))
  }

  take(line: Line, number: number): void {
    this.#exchanges.take(line, number)
  }

  giveBack(line: Line, number: number): void {
    this.#exchanges.giveBack(line, number)
  }

  /** One delivery of any size is taken as long as anything is left, so that none is too big. @returns whether it was */
  takeBytes(line: Line, bytes: number): boolean {
    if (!this.#hasRoomForBytes(line)) return false
    this.#bytes.take(line, bytes)
    return true
  }

  giveBackBytes(line: Line, bytes: number): void {
    this.#bytes.giveBack(line, bytes)
  }

  learn({ tenantId, subscriptionId }: Omit<Line, 'lane'>, succeeded: boolean): void {
    const key = subscriptionKey(tenantId, subscriptionId)
    const window = this.#windowOf(key)
    const next = succeeded ? window + 1 : Math.max(leastWindow, Math.floor(window / 2))
    this.#windows.delete(key)
    this.#windows.set(key, next)
    const [oldest] = this.#windows.keys()
    if (this.#windows.size > mostWindows && oldest !== undefined) this.#windows.delete(oldest)
  }

  #windowOf(key: string): number {
    return Math.min(this.#windows.get(key) ?? firstWindow, this.#limits.subscription)
  }

  /** A tenant with nothing under way gets the last quarter, one delivery at a time. */
  #hasRoomForBytes(line: Line): boolean {
    const { bytes } = this.#limits
    const room = this.#bytes.room(line, {
      total: bytes,
      tenant: bytes * tenantShareOfBytes,
      subscription: bytes * subscriptionShareOfBytes,
    })
    const common = Math.min(room.total - bytes * reservedShare, room.tenant, room.subscription)
    return common > 0 || (room.total > 0 && this.#bytes.ofTenant(line.tenantId) === 0)
  }
}
