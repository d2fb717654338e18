/**
 * Bounds the memory of replies that their clients have not read: in total, for a tenant, and for an address. Beyond
 * the bound the oldest reply is aborted ("cut"): an honest client reads its reply sooner than an attacker who has
 * many open.
 */

import type { Limit } from '../../database/limit.ts'
import { refusal, type ServiceError } from '../errors.ts'
import { clientNetwork } from '../network.ts'
import type { LimitMonitor } from './limit-monitor.ts'

/** The tenant and the address of a request. */
interface ReplyRequester {
  /** A tenant; `null` for none. */
  owner: string | null
  clientAddress: string | null
}

/** The tenant and the network that a reply counts for. */
export interface ReplyOwner {
  /** Empty for a reply that concerns no tenant. */
  tenantId: string
  address: string
}

export interface ReplyMemoryBounds {
  maxBytes: number
  maxTenantBytes: number
  maxAddressBytes: number
  /** How long a reply is protected from being cut in favour of an address that uses as much memory. */
  minHeldMs: number
}

const defaultMaxBytes = 64 * 1024 * 1024
const reason = 'reply memory'

export const replyMemoryLimit: Limit = {
  name: 'replies that their clients have not read',
  kind: 'memory',
  bounds: { instance: defaultMaxBytes, tenant: defaultMaxBytes / 2, address: (defaultMaxBytes * 3) / 8 },
  unit: 'bytes',
  changedBy: ['GRAPHQL_MAX_BYTES', 'replyMemory'],
  beyond: 'the connection of an older reply is closed; without one, 503 with `Retry-After`',
  reasons: [reason],
  metrics: ['reply_memory_bytes', 'reply_memory_refused_total'],
  page: 'api/replies.md#large-replies',
}

/** @param limitBytes the largest reply to a GraphQL operation: an address has room for one */
export function defaultReplyMemory(limitBytes: number): ReplyMemoryBounds {
  const maxBytes = Math.max(defaultMaxBytes, 4 * limitBytes)
  return { maxBytes, maxTenantBytes: maxBytes / 2, maxAddressBytes: (maxBytes * 3) / 8, minHeldMs: 5000 }
}

/** A reply up to this size is counted only when its client does not take it at once. */
export const smallReplyBytes = 64 * 1024
const retryAfterSeconds = 1

export class ReplyMemory {
  readonly #bounds: ReplyMemoryBounds
  readonly #monitor: LimitMonitor
  /** The replies in the order of their beginning. */
  readonly #replies = new Set<ReplyReservation>()
  readonly #byTenant = new Map<string, number>()
  readonly #byAddress = new Map<string, number>()
  #used = 0
  #refused = 0

  constructor(bounds: ReplyMemoryBounds, monitor: LimitMonitor) {
    this.#bounds = bounds
    this.#monitor = monitor
  }

  get usedBytes(): number {
    return this.#used
  }

  get maxBytes(): number {
    return this.#bounds.maxBytes
  }

  /** Refused reservations since the start. */
  get refused(): number {
    return this.#refused
  }

  /** @param drop releases the partial reply when it is cut before it is sent */
  reserve({ owner, clientAddress }: ReplyRequester, drop: (() => void) | null = null): ReplyReservation {
    const replyOwner = { tenantId: owner ?? '', address: clientNetwork(clientAddress ?? '') }
    const account: Account = {
      grow: (reply, bytes) => this.#grow(reply, bytes),
      hold: (reply, bytes) => this.#hold(reply, bytes),
      give: (reply, bytes) => this.#change(reply, -bytes),
    }
    return new ReplyReservation(replyOwner, account, drop)
  }

  #grow(reply: ReplyReservation, bytes: number): boolean {
    const isGranted = this.#hasShares(reply, bytes) && this.#hasRoom(reply, bytes)
    if (isGranted) this.#change(reply, bytes)
    else {
      this.#refused++
      this.#monitor.refused(reason, { ...reply.owner })
    }
    return isGranted
  }

  #hold(reply: ReplyReservation, bytes: number): void {
    const isGranted = this.#hasRoom(reply, bytes)
    this.#change(reply, bytes)
    if (!isGranted) this.#cut(reply)
  }

  /** Whether address and tenant are within their shares, after cutting older replies of theirs if that is necessary. */
  #hasShares(reply: ReplyReservation, bytes: number): boolean {
    const { tenantId, address } = reply.owner
    const { maxBytes, maxTenantBytes, maxAddressBytes } = this.#bounds
    // A share is also at most what is free: so each address and tenant leaves about as much to others as it holds.
    const share = (max: number): number => Math.min(max, maxBytes - this.#used)
    const ofAddress: Scope = {
      has: ({ owner }) => owner.address === address,
      isWithin: () => (this.#byAddress.get(address) ?? 0) + bytes <= share(maxAddressBytes),
    }
    const ofTenant: Scope = {
      has: ({ owner }) => owner.tenantId === tenantId,
      isWithin: () => (this.#byTenant.get(tenantId) ?? 0) + bytes <= share(maxTenantBytes),
    }
    return this.#cutUntil(reply, ofAddress) && this.#cutUntil(reply, ofTenant)
  }

  #hasRoom(reply: ReplyReservation, bytes: number): boolean {
    const isWithin = () => this.#used + bytes <= this.#bounds.maxBytes
    return isWithin() || this.#cutUntil(reply, { has: () => true, isWithin })
  }

  /** Cuts other replies until this one fits; one reply alone always fits. @returns `false` if no other may be cut */
  #cutUntil(reply: ReplyReservation, { has, isWithin }: Scope): boolean {
    while (!isWithin()) {
      const others = [...this.#replies].filter((other) => other !== reply && has(other))
      if (others.length === 0) return true
      const victim = this.#victim(others, reply)
      if (victim === null) return false
      this.#cut(victim)
    }
    return true
  }

  #cut(reply: ReplyReservation): void {
    this.#monitor.refused(reason, { ...reply.owner })
    reply.cut()
  }

  /**
   * @returns the oldest reply of the address that holds most, if it holds more than that of `reply`; else the oldest
   */
  #victim(others: readonly ReplyReservation[], reply: ReplyReservation): ReplyReservation | null {
    const byAddress = new Map([[reply.owner.address, reply.bytes]])
    for (const { owner, bytes } of others) {
      byAddress.set(owner.address, (byAddress.get(owner.address) ?? 0) + bytes)
    }
    const own = byAddress.get(reply.owner.address) ?? 0
    const largest = Math.max(...byAddress.values())
    if (largest > own) return others.find(({ owner }) => byAddress.get(owner.address) === largest) ?? null
    const [oldest] = others
    if (oldest === undefined) return null
    return performance.now() - oldest.sinceMs >= this.#bounds.minHeldMs ? oldest : null
  }

  #change(reply: ReplyReservation, bytes: number): void {
    const { tenantId, address } = reply.owner
    if (bytes > 0) this.#replies.add(reply)
    else if (reply.bytes + bytes === 0) this.#replies.delete(reply)
    reply.bytes += bytes
    this.#used += bytes
    add(this.#byTenant, tenantId, bytes)
    add(this.#byAddress, address, bytes)
    this.#monitor.observe(reason, this.#used, this.#bounds.maxBytes)
  }
}

/** The replies among which one may be cut, and whether they are within their bound. */
interface Scope {
  has(reply: ReplyReservation): boolean
  isWithin(): boolean
}

interface Account {
  /** Adds bytes. @returns `false` if there is no room for them */
  grow(reply: ReplyReservation, bytes: number): boolean
  /** Adds bytes, and cuts the reply if there is no room for them. */
  hold(reply: ReplyReservation, bytes: number): void
  give(reply: ReplyReservation, bytes: number): void
}

/** The memory of one reply. */
export class ReplyReservation {
  readonly owner: ReplyOwner
  readonly sinceMs = performance.now()
  /** Written by `ReplyMemory` only. */
  bytes = 0
  readonly #account: Account
  /** Releases the content of the reply. */
  #drop: (() => void) | null = null
  #isOver = false
  #isCut = false

  constructor(owner: ReplyOwner, account: Account, drop: (() => void) | null) {
    this.owner = owner
    this.#account = account
    this.#drop = drop
  }

  /** @throws ServiceError `unavailable` when replies hold too much; earlier reservations remain */
  grow(bytes: number): void {
    if (this.#isCut || (!this.#isOver && !this.#account.grow(this, bytes))) throw tooManyReplies()
  }

  /** Adds bytes to a reply that can no longer be refused. It counts in total, and is cut if there is no room for it. */
  hold(bytes: number): void {
    if (!this.#isOver) this.#account.hold(this, bytes)
  }

  /** Reports that bytes were sent. */
  shrink(bytes: number): void {
    if (!this.#isOver) this.#account.give(this, Math.min(bytes, this.bytes))
  }

  /**
   * Reports that the first byte is about to be sent.
   * @param disconnect aborts the reply at once
   * @throws ServiceError `unavailable` when it was cut before
   */
  send(disconnect: () => void): void {
    if (this.#isCut) throw tooManyReplies()
    this.#drop = disconnect
  }

  /** Releases the memory. A reply that is not sent yet fails when it grows or is sent. */
  cut(): void {
    this.#isCut = true
    this.release()
    this.#drop?.()
  }

  /** Releases the memory; further calls do nothing. */
  release(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#account.give(this, this.bytes)
  }
}

/** The memory of a reply that is being created. A small reply reserves none. */
export class GrowingReply {
  readonly #memory: ReplyMemory
  readonly #requester: ReplyRequester
  readonly #drop: (() => void) | null
  #bytes = 0
  #reservation: ReplyReservation | null = null

  /** @param drop releases the partial reply when it is cut */
  constructor(memory: ReplyMemory, requester: ReplyRequester, drop: (() => void) | null = null) {
    this.#memory = memory
    this.#requester = requester
    this.#drop = drop
  }

  /** Released when the reply was sent or aborted; `null` for a small reply. */
  get reservation(): ReplyReservation | null {
    return this.#reservation
  }

  /** @throws ServiceError `unavailable` when replies hold too much */
  grow(bytes: number): void {
    this.#bytes += bytes
    if (this.#reservation !== null) this.#reservation.grow(bytes)
    else if (this.#bytes > smallReplyBytes) {
      this.#reservation = this.#memory.reserve(this.#requester, this.#drop)
      this.#reservation.grow(this.#bytes)
    }
  }

  release(): void {
    this.#reservation?.release()
  }
}

function tooManyReplies(): ServiceError {
  return refusal('tooManyReplies', {}, { retryAfterSeconds })
}

function add(counts: Map<string, number>, key: string, bytes: number): void {
  const sum = (counts.get(key) ?? 0) + bytes
  if (sum > 0) counts.set(key, sum)
  else counts.delete(key)
}
