/** Bounds what replies hold in memory until their clients have read them: in all, for a tenant, and for an address. */
import { ServiceError } from './errors.ts'

/** Who a reply is for. */
export interface ReplyOwner {
  tenantId: string
  address: string
}

export interface ReplyMemoryBounds {
  maxBytes: number
  maxTenantBytes: number
  maxAddressBytes: number
}

export const defaultReplyMemory: ReplyMemoryBounds = {
  maxBytes: 64 * 1024 * 1024,
  maxTenantBytes: 32 * 1024 * 1024,
  maxAddressBytes: 24 * 1024 * 1024,
}

/** A reply up to this size is always let through: there are no more of them than connections. */
export const smallReplyBytes = 64 * 1024
const retryAfterSeconds = 1

export class ReplyMemory {
  readonly #bounds: ReplyMemoryBounds
  readonly #byTenant = new Map<string, number>()
  readonly #byAddress = new Map<string, number>()
  #held = 0
  #refused = 0

  constructor(bounds: ReplyMemoryBounds = defaultReplyMemory) {
    this.#bounds = bounds
  }

  get heldBytes(): number {
    return this.#held
  }

  /** Reservations that were refused since the start. */
  get refused(): number {
    return this.#refused
  }

  reserve(owner: ReplyOwner): ReplyReservation {
    return new ReplyReservation((bytes) => this.#take(owner, bytes))
  }

  #take({ tenantId, address }: ReplyOwner, bytes: number): void {
    const { maxBytes, maxTenantBytes, maxAddressBytes } = this.#bounds
    const tenant = (this.#byTenant.get(tenantId) ?? 0) + bytes
    const client = (this.#byAddress.get(address) ?? 0) + bytes
    const isTooMuch = this.#held + bytes > maxBytes || tenant > maxTenantBytes || client > maxAddressBytes
    if (bytes > 0 && isTooMuch) {
      this.#refused++
      throw new ServiceError('unavailable', 'Too many large replies are waiting to be read.', {
        retryAfterSeconds,
      })
    }
    this.#held += bytes
    setOrDelete(this.#byTenant, tenantId, tenant)
    setOrDelete(this.#byAddress, address, client)
  }
}

/** The memory of one reply. */
export class ReplyReservation {
  readonly #take: (bytes: number) => void
  #bytes = 0
  #isReleased = false

  constructor(take: (bytes: number) => void) {
    this.#take = take
  }

  /** @throws ServiceError `unavailable` when replies hold too much; what was reserved before stays so */
  grow(bytes: number): void {
    if (this.#isReleased) return
    this.#take(bytes)
    this.#bytes += bytes
  }

  /** A second call does nothing. */
  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#take(-this.#bytes)
  }
}

function setOrDelete(counts: Map<string, number>, key: string, value: number): void {
  if (value > 0) counts.set(key, value)
  else counts.delete(key)
}
