/** The subscriptions of this instance, with one feed for each tenant that has subscribers. */

import type { Shared, Tenant } from '../../../core/context.ts'
import { newId } from '../../../core/id.ts'
import { BufferBudget, defaultMaxBufferedBytes } from '../../../core/limits/buffer-budget.ts'
import { defaultSubscriptionLimits, type SubscriptionLimits } from '../../../core/limits/client-limits.ts'
import { LimitMonitor } from '../../../core/limits/limit-monitor.ts'
import { changedTenant } from '../../../core/tenant/directory.ts'
import { foldTenantId } from '../../../core/tenant/tenant-id.ts'
import { resync } from '../../../database/executor.ts'
import { type SubscriptionRoot, shapeOf } from './rendering.ts'
import { Stream } from './stream.ts'
import { exceededBy } from './subscription-limits.ts'
import { TenantFeed } from './tenant-feed.ts'

/** Events without a notification are found within this time. */
const defaultSweepMs = 1000
/** How long notifications for other instances are collected. */
const announceDelayMs = 10
/** The tenants that one announcement names. For more tenants it wakes all feeds. */
const maxNamedTenants = 50
const changePrefix = 'events:'
const allTenants = '*'

export interface LiveOptions {
  limits: SubscriptionLimits
  monitor: LimitMonitor
  /** The buffers of slow subscribers. */
  buffers: BufferBudget
  /** The interval of the poll for events without a notification. */
  sweepMs: number
}

/** A request to subscribe. */
export interface SubscriptionRequest {
  tenant: Tenant
  /** The id of the user, or the network of a client without one. */
  user: string
  root: SubscriptionRoot
  /** The cursor after which to resume, or `null`. */
  after: string | null
  /** @returns why the subscriber may not receive events any more, or `null` */
  refusal(): Error | null
}

export class Live {
  readonly #shared: Shared
  readonly #options: LiveOptions
  readonly #feeds = new Map<string, TenantFeed>()
  /** Identifies this instance's own announcements, which it ignores. */
  readonly #instance = newId()
  readonly #changed = new Set<string>()
  readonly #sweep: NodeJS.Timeout
  #announcing: NodeJS.Timeout | null = null
  #isStopped = false

  /** @param options that differ from the defaults */
  constructor(shared: Shared, options: Partial<LiveOptions> = {}) {
    this.#shared = shared
    const monitor = options.monitor ?? new LimitMonitor(shared.log)
    this.#options = {
      limits: defaultSubscriptionLimits,
      monitor,
      buffers: new BufferBudget(defaultMaxBufferedBytes, monitor),
      sweepMs: defaultSweepMs,
      ...options,
    }
    this.#sweep = setInterval(() => this.#wakeAll(), this.#options.sweepMs).unref()
  }

  /** The number of active subscriptions. */
  get count(): number {
    return [...this.#feeds.values()].reduce((sum, { size }) => sum + size, 0)
  }

  /** @throws DatabaseUnavailable, ServiceError `unavailable`, GraphQLError beyond the limits of subscriptions */
  async subscribe({ tenant, user, root, after, refusal }: SubscriptionRequest): Promise<Stream> {
    const { buffers, limits, monitor } = this.#options
    const subscriber = { user, root, refusal, shape: shapeOf(root), stream: new Stream(buffers) }
    const { stream } = subscriber
    const exceeded = exceededBy(subscriber, this.#feeds.get(tenant.id)?.subscribers ?? [], this.count, limits)
    if (exceeded !== null) {
      monitor.refused(exceeded.reason, { tenantId: tenant.id, user })
      throw exceeded.error
    }
    const feed = this.#feedOf(tenant)
    stream.onEnd(() => this.#removeStream(tenant, feed, stream))
    try {
      await feed.join(subscriber, after)
    } catch (error) {
      stream.end()
      throw error
    }
    if (this.#isStopped) stream.end()
    monitor.observe('subscriptions', this.count, limits.total)
    return stream
  }

  /** Called after a commit of the tenant's events on this instance. */
  wake(tenantId: string): void {
    this.#feeds.get(tenantId)?.wake()
    if (this.#shared.catalogueDatabase.dialect !== 'postgres' || this.#isStopped) return
    this.#changed.add(tenantId)
    this.#announcing ??= setTimeout(() => this.#announce(), announceDelayMs)
  }

  /** Called for an announcement of another instance, and when announcements may be lost. */
  invalidate(change: string): void {
    if (change === resync) this.#wakeAll()
    const tenant = changedTenant(change)
    for (const [id, feed] of change === resync || tenant !== null ? this.#feeds : []) {
      if (change === resync || tenant === foldTenantId(id)) void this.#checkDatabase(feed)
    }
    if (!change.startsWith(changePrefix)) return
    const [instance, ...tenantIds] = change.slice(changePrefix.length).split(' ')
    if (instance === this.#instance) return
    if (tenantIds.includes(allTenants)) this.#wakeAll()
    else for (const id of tenantIds) this.#feeds.get(id)?.wake()
  }

  /** Ends all streams, so that clients resume on another instance. */
  stop(): void {
    this.#isStopped = true
    clearInterval(this.#sweep)
    if (this.#announcing !== null) clearTimeout(this.#announcing)
    for (const feed of [...this.#feeds.values()]) feed.close((stream) => stream.end())
  }

  async #checkDatabase(feed: TenantFeed): Promise<void> {
    try {
      await feed.checkDatabase()
    } catch (error) {
      this.#shared.log.warn({ err: error }, 'database of a tenant not checked')
    }
  }

  #feedOf(tenant: Tenant): TenantFeed {
    let feed = this.#feeds.get(tenant.id)
    if (feed === undefined) {
      feed = new TenantFeed(this.#shared, tenant)
      this.#feeds.set(tenant.id, feed)
    }
    return feed
  }

  #removeStream(tenant: Tenant, feed: TenantFeed, stream: Stream): void {
    feed.leave(stream)
    if (feed.size === 0 && this.#feeds.get(tenant.id) === feed) this.#feeds.delete(tenant.id)
    this.#options.monitor.observe('subscriptions', this.count, this.#options.limits.total)
  }

  #wakeAll(): void {
    for (const feed of this.#feeds.values()) feed.wake()
  }

  /** Runs outside of publishing transactions, because commits of transactions with NOTIFY wait for each other. */
  #announce(): void {
    this.#announcing = null
    const ids = [...this.#changed]
    this.#changed.clear()
    const change = `${changePrefix}${this.#instance} ${ids.length > maxNamedTenants ? allTenants : ids.join(' ')}`
    const { catalogueDatabase, log } = this.#shared
    catalogueDatabase
      .transaction((transaction) => transaction.announce(change))
      .catch((error: unknown) => log.warn({ err: error }, 'other instances not notified of events'))
  }
}
