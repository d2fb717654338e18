/**
 * Limits what callers spend on costly reads and on unknown GraphQL documents, by token buckets. A cost unit is a
 * millisecond of database time, or 64 KiB of a reply. Users spend from the buckets of the user and of the tenant.
 * Callers without a token spend from those of their network and of all such callers, so that they cannot empty those
 * of users.
 */

import type { Limit } from '../../database/limit.ts'
import { LruMap } from '../../database/lru-map.ts'
import { refusal } from '../errors.ts'
import type { Caller } from './caller.ts'

/** A full bucket holds `units`. An empty one is full again after the window. */
export interface CostPolicy {
  units: number
  windowSeconds: number
}

export interface CostPolicies {
  address: CostPolicy
  user: CostPolicy
  tenant: CostPolicy
  /** The bucket that all callers of one tenant without a token share. */
  anonymous: CostPolicy
  /** The maximum of database time for one operation, in milliseconds. Full buckets do not raise it. */
  operationMs: { anonymous: number; user: number }
}

export const defaultCostPolicies: CostPolicies = {
  // Half of the bucket `anonymous`: one network cannot empty it at once.
  address: { units: 800, windowSeconds: 4 },
  // Half of the bucket and of the rate of `tenant`: one user leaves the other half to the others.
  user: { units: 4000, windowSeconds: 10 },
  tenant: { units: 8000, windowSeconds: 10 },
  // The rate of `tenant`, but a smaller bucket, because many addresses that begin together may empty it at once.
  anonymous: { units: 1600, windowSeconds: 2 },
  operationMs: { anonymous: 100, user: 2000 },
}

export const costLimit: Limit = {
  name: 'costly reads, large bodies and replies, unknown GraphQL documents',
  kind: 'rate',
  bounds: {
    tenant: inWindow(defaultCostPolicies.tenant),
    user: inWindow(defaultCostPolicies.user),
    'callers of a tenant without a token': inWindow(defaultCostPolicies.anonymous),
    'address without a token': inWindow(defaultCostPolicies.address),
  },
  unit: 'cost units',
  changedBy: ['costPolicies'],
  beyond: '429 with `Retry-After` and `RateLimit`',
  metrics: ['cost_limited_total'],
  page: 'api/rate-limits.md#cost-units',
}

function inWindow({ units, windowSeconds }: CostPolicy): string {
  return `${units} in ${windowSeconds} seconds`
}

const bytesPerUnit = 64 * 1024
/**
 * The number of buckets that are kept. The least recently used one is evicted: after that time it would be full
 * anyway.
 */
const maxBuckets = 20_000
const policyName = 'cost'

interface Bucket {
  policy: CostPolicy
  /** Negative after an operation that cost more than the bucket held. */
  units: number
  atMs: number
}

export class CostLimiter {
  readonly #policies: CostPolicies
  readonly #buckets = new LruMap<string, Bucket>(maxBuckets)
  #refused = 0

  constructor(policies: CostPolicies = defaultCostPolicies) {
    this.#policies = policies
  }

  /** The number of refusals since the start. */
  get refused(): number {
    return this.#refused
  }

  /** The maximum of database time for one operation, in milliseconds. */
  get operationMs(): CostPolicies['operationMs'] {
    return this.#policies.operationMs
  }

  /** @returns an account that may be empty. Optional work is skipped when it is. */
  accountOf(caller: Caller): CostAccount {
    return new CostAccount(this.#bucketsOf(caller))
  }

  /** @throws ServiceError `tooManyRequests` when the account is empty */
  open(caller: Caller): CostAccount {
    const account = this.accountOf(caller)
    if (account.isEmpty) {
      this.#refused++
      throw refusal(
        'costsTooMuch',
        {},
        {
          retryAfterSeconds: account.secondsUntilAnyLeft,
          headers: account.headers(),
        },
      )
    }
    return account
  }

  #bucketsOf({ tenantId, userId, network }: Caller): Bucket[] {
    const { address: ofAddress, user, tenant, anonymous } = this.#policies
    return userId === null
      ? [this.#bucket(`address ${network}`, ofAddress), this.#bucket(`anonymous in ${tenantId}`, anonymous)]
      : [this.#bucket(`user ${userId}`, user), this.#bucket(`tenant ${tenantId}`, tenant)]
  }

  #bucket(key: string, policy: CostPolicy): Bucket {
    let bucket = this.#buckets.get(key)
    if (bucket === undefined) {
      bucket = { policy, units: policy.units, atMs: performance.now() }
      this.#buckets.set(key, bucket)
    }
    refill(bucket)
    return bucket
  }
}

/** The account of one operation. */
export class CostAccount {
  readonly #buckets: readonly Bucket[]

  constructor(buckets: readonly Bucket[]) {
    this.#buckets = buckets
  }

  get isEmpty(): boolean {
    return this.#buckets.some(({ units }) => units <= 0)
  }

  get secondsUntilAnyLeft(): number {
    return Math.max(
      1,
      ...this.#buckets.map((bucket) => Math.ceil((1 - bucket.units) / unitsPerSecond(bucket))),
    )
  }

  spend(units: number): void {
    for (const bucket of this.#buckets) bucket.units -= units
  }

  spendMs(ms: number): void {
    this.spend(ms)
  }

  spendBytes(bytes: number): void {
    this.spend(bytes / bytesPerUnit)
  }

  /**
   * @returns `RateLimit` and `RateLimit-Policy` (IETF draft) of the emptiest bucket; none while it is more than half
   *   full, so that equal replies have equal headers
   */
  headers(): Record<string, string> {
    const least = this.#buckets.toSorted((a, b) => a.units / a.policy.units - b.units / b.policy.units)[0]
    if (least === undefined || least.units > least.policy.units / 2) return {}
    const { policy, units } = least
    const secondsUntilFull = Math.max(1, Math.ceil((policy.units - units) / unitsPerSecond(least)))
    return {
      'ratelimit-policy': `"${policyName}";q=${policy.units};w=${policy.windowSeconds}`,
      ratelimit: `"${policyName}";r=${Math.max(0, Math.floor(units))};t=${secondsUntilFull}`,
    }
  }
}

function refill(bucket: Bucket): void {
  const nowMs = performance.now()
  const earned = ((nowMs - bucket.atMs) / 1000) * unitsPerSecond(bucket)
  bucket.units = Math.min(bucket.policy.units, bucket.units + earned)
  bucket.atMs = nowMs
}

function unitsPerSecond({ policy }: Bucket): number {
  return policy.units / policy.windowSeconds
}
